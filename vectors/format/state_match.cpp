#include "vectors/format/state_match.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/number.hpp"

namespace hallmark::vectors {
namespace {

using base::Json;

constexpr double tolerance = 1e-9;
constexpr std::size_t longest_shown = 200;

using Found = std::optional<StateMismatch>;

std::string shown(const Json& json) {
  std::string text = json.dump();
  if (text.size() > longest_shown) text.replace(longest_shown, std::string::npos, "…");
  return text;
}

bool is_fraction(std::string_view text) { return text.find_first_of(".eE") != text.npos; }

bool equal_part(std::string_view a, std::string_view b) {
  if (a == b) return true;
  if (!is_fraction(a) && !is_fraction(b)) return false;
  const auto x = base::number_in<double>(a);
  const auto y = base::number_in<double>(b);
  return x && y && std::abs(*x - *y) <= tolerance * std::max(std::abs(*x), std::abs(*y));
}

std::string_view next_part(std::string_view& text) {
  const std::size_t end = text.find_first_of("|$");
  const std::string_view part = text.substr(0, end);
  text.remove_prefix(part.size());
  return part;
}

bool is_matcher(const Json& expected) {
  return expected.is_object() && expected.contains("match") && expected["match"].is_string();
}

bool in_range(const Json& expected, const Json& value) {
  const auto number = [](const Json& json) {
    return json.is_string() ? base::number_in<std::int64_t>(json.string())
                            : std::optional<std::int64_t>();
  };
  const auto min = number(expected["min"]);
  const auto max = number(expected["max"]);
  const auto got = number(value);
  return min && max && got && *got >= *min && *got <= *max;
}

bool agrees(const Json& matcher, const Json& value) {
  const auto& name = matcher["match"].string();
  return name == "any" || (name == "range" && in_range(matcher, value));
}

Found compare(const Json& expected, const Json& value, bool rounding, const std::string& place);

Found compare_members(const Json& expected, const Json& value, bool rounding,
                      const std::string& place) {
  for (const auto& [name, wanted] : expected.members()) {
    const std::string member = place.empty() ? name : place + "." + name;
    if (!value.contains(name)) return StateMismatch{member, shown(wanted), "nothing"};
    // The offset and the wording of an error are the implementation's own.
    if (place.empty() && name == "error") continue;
    if (auto found = compare(wanted, value[name], rounding, member)) return found;
  }
  return {};
}

Found compare_items(const Json& expected, const Json& value, bool rounding,
                    const std::string& place) {
  for (std::size_t i = 0; i < expected.size(); ++i) {
    if (auto found = compare(expected[i], value[i], rounding, fmt::format("{}[{}]", place, i)))
      return found;
  }
  return {};
}

Found compare(const Json& expected, const Json& value, bool rounding, const std::string& place) {
  bool equal = false;
  if (is_matcher(expected)) {
    equal = agrees(expected, value);
  } else if (expected.is_object() && value.is_object()) {
    return compare_members(expected, value, rounding, place);
  } else if (expected.is_array() && value.is_array() && expected.size() == value.size()) {
    return compare_items(expected, value, rounding, place);
  } else if (rounding && expected.is_string() && value.is_string()) {
    equal = equal_but_for_rounding(expected.string(), value.string());
  } else {
    equal = expected == value;
  }
  if (equal) return {};
  return StateMismatch{place.empty() ? "the answer" : place, shown(expected), shown(value)};
}

}  // namespace

bool equal_but_for_rounding(std::string_view a, std::string_view b) {
  for (;;) {
    if (!equal_part(next_part(a), next_part(b))) return false;
    if (a.empty() || b.empty()) return a.empty() && b.empty();
    if (a.front() != b.front()) return false;
    a.remove_prefix(1);
    b.remove_prefix(1);
  }
}

std::optional<StateMismatch> mismatch(const Json& expected, const Json& answer, bool rounding) {
  return compare(expected, answer, rounding, "");
}

}  // namespace hallmark::vectors
