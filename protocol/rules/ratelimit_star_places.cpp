#include "protocol/rules/ratelimit_star_places.hpp"

#include <algorithm>
#include <span>

#include "base/digit.hpp"
#include "base/text.hpp"

namespace hallmark::protocol::ratelimit {
namespace {

using Kind = KeyPlace::Kind;

constexpr std::string_view of_addresses = "0123456789.";
constexpr std::string_view separators = "=: /";
constexpr std::string_view names_of_4[] = {"ip", "ip4", "ipv4", "addr", "address", "ipaddr"};
constexpr std::string_view names_of_6[] = {"ip6", "ipv6", "addr6"};
constexpr std::size_t dots_in_address = 3;

std::size_t dots_in(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count(text, '.'));
}

bool has_digit(std::string_view text) { return std::ranges::any_of(text, base::is_digit); }

/// The digits and dots at the end.
std::string_view address_at_end(std::string_view text) {
  const std::size_t last = text.find_last_not_of(of_addresses);
  return last == std::string_view::npos ? text : text.substr(last + 1);
}

/// The digits and dots at the front, unless a word goes on with them.
std::string_view address_at_front(std::string_view text) {
  const std::size_t end = std::min(text.find_first_not_of(of_addresses), text.size());
  const bool is_word = end < text.size() && (base::lower_case(text.substr(end, 1)) >= "a" &&
                                             base::lower_case(text.substr(end, 1)) <= "z");
  return is_word ? std::string_view() : text.substr(0, end);
}

/// The last word before a separator at the end of the text: "ip" of "client_ip=".
std::string name_before(std::string_view text) {
  if (text.empty() || separators.find(text.back()) == std::string_view::npos) return {};
  text.remove_suffix(1);
  const std::string lower = base::lower_case(text);
  const std::size_t before = lower.find_last_not_of("abcdefghijklmnopqrstuvwxyz0123456789");
  return before == std::string::npos ? lower : lower.substr(before + 1);
}

/// Stars that make one address together, with the digits and dots around them.
struct Expression {
  std::size_t first = 0;            ///< star
  std::vector<std::string> before;  ///< each of its stars: digits and dots
  std::string behind;               ///< the last of its stars

  std::size_t stars() const { return before.size(); }
  std::size_t dots() const {
    std::size_t all = dots_in(behind);
    for (const std::string& part : before) all += dots_in(part);
    return all;
  }
  bool has_digits() const { return has_digit(behind) || std::ranges::any_of(before, has_digit); }
};

Expression expression_at(const Pattern& pattern, std::size_t star) {
  Expression found{star, {std::string(address_at_end(pattern.between(star)))}, {}};
  for (std::size_t next = star + 1; next < pattern.stars(); ++next) {
    const std::string between = pattern.between(next);
    if (address_at_end(between) != between || dots_in(between) == 0) break;
    found.before.push_back(between);
  }
  found.behind = address_at_front(pattern.between(star + found.stars()));
  return found;
}

/// Each star stands for one octet, and the last one for those that have no place otherwise.
std::vector<KeyPlace> octets_of(const Expression& expression) {
  const std::size_t missing = dots_in_address - expression.dots();
  std::vector<KeyPlace> places;
  std::size_t octet = 0;
  for (std::size_t i = 0; i < expression.stars(); ++i) {
    const std::string& before = expression.before[i];
    octet += dots_in(before);
    const bool begun = !before.empty() && base::is_digit(before.back());
    const std::size_t more = i + 1 == expression.stars() ? missing : 0;
    const std::size_t from = begun ? octet + 1 : octet;
    places.push_back({.kind = Kind::address,
                      .from = static_cast<std::uint8_t>(from),
                      .to = static_cast<std::uint8_t>(octet + 1 + more),
                      .dot_before = begun});
    octet += more;
  }
  return places;
}

bool is_one_of(const std::string& name, std::span<const std::string_view> names) {
  return std::ranges::find(names, name) != names.end();
}

class Reader {
 public:
  explicit Reader(const Pattern& pattern) : pattern_(pattern) {}

  StarPlaces read() {
    while (found_.places.size() < pattern_.stars()) next();
    return std::move(found_);
  }

 private:
  void next() {
    const std::size_t star = found_.places.size();
    const std::string before = pattern_.between(star);
    const Expression expression = expression_at(pattern_, star);
    const std::string_view words =
        std::string_view(before).substr(0, before.size() - expression.before.front().size());
    const std::string name = name_before(words);
    const bool quad = expression.dots() == dots_in_address;
    if (is_one_of(name, names_of_6) && words.size() == before.size()) {
      found_.places.push_back({.kind = Kind::address6});
    } else if (quad || (is_one_of(name, names_of_4) && expression.dots() < dots_in_address)) {
      found_.in_network = found_.in_network || expression.has_digits();
      for (KeyPlace& place : octets_of(expression)) found_.places.push_back(std::move(place));
    } else {
      found_.places.push_back({});
    }
  }

  const Pattern& pattern_;
  StarPlaces found_;
};

}  // namespace

StarPlaces star_places(const Pattern& pattern) { return Reader(pattern).read(); }

}  // namespace hallmark::protocol::ratelimit
