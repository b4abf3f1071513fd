#include "protocol/rules/ratelimit_rule_line.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/digit.hpp"
#include "base/hex.hpp"
#include "base/number.hpp"
#include "base/text.hpp"

namespace hallmark::protocol::ratelimit {
namespace {

template <class T>
using Read = base::Expected<T, RulesError>;

constexpr std::size_t most_digits = 9;
constexpr std::uint32_t longest_period = 2'147'483'647;
constexpr std::string_view allowed_limit = "USES/SECONDS, such as 22/20 or 0.5/1";
constexpr std::string_view allowed_uses = "1 to 9 digits, then at most a point and one digit";
constexpr std::string_view allowed_quotes = "a pattern in double quotes, such as \"ws ip=*\"";
constexpr std::string_view allowed_escapes = R"(\\ \" \* \? and \xHH with two hexadecimal digits)";

bool is_blank(char byte) { return byte == ' ' || byte == '\t'; }
bool is_control(char byte) { return static_cast<unsigned char>(byte) < 0x20 || byte == 0x7f; }

bool is_number(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, base::is_digit);
}

/// The part of what came for which a message has room.
std::string shown(std::string_view word) {
  constexpr std::size_t longest = 40;
  std::string text;
  for (const char byte : word.substr(0, longest)) {
    const auto code = static_cast<unsigned char>(byte);
    text += base::is_printable(byte) ? std::string(1, byte) : fmt::format("\\x{:02x}", code);
  }
  return word.size() > longest ? text + "..." : text;
}

/// A byte between quotes: what it is, and how it was written.
struct Quoted {
  enum class Kind { byte, star, any_byte, capture };
  Kind kind = Kind::byte;
  char byte = 0;          ///< of kind byte
  std::size_t index = 0;  ///< of kind capture; the first star is 0
};

class LineReader {
 public:
  LineReader(std::string_view line, std::size_t number) : line_(line), number_(number) {}

  Read<std::optional<RuleLine>> read();

 private:
  Read<RuleLine> rule();
  Read<void> check_bytes() const;
  Read<Limit> limit();
  Read<double> uses(std::string_view text, std::size_t column) const;
  Read<std::uint32_t> period(std::string_view text, std::size_t column) const;
  Read<Discipline> discipline();
  Read<bool> statistics();
  Read<void> pattern(RuleLine& rule);
  Read<void> rewrite(RuleLine& rule);
  Read<void> nothing_more();

  template <class Take>
  Read<void> quoted(Take&& take);
  Read<Quoted> next_quoted();
  Read<Quoted> escaped(std::size_t column);
  Read<Quoted> hexadecimal(std::size_t column);
  Read<void> add_to_rewrite(const Quoted& next, std::size_t column, RuleLine& rule) const;

  bool at_end() const { return position_ == line_.size(); }
  bool at_end_of_rule() const { return at_end() || line_[position_] == '#'; }
  bool at_quote() const { return !at_end() && line_[position_] == '"'; }
  std::size_t column() const { return position_ + 1; }

  void skip_blanks() {
    while (!at_end() && is_blank(line_[position_])) ++position_;
  }

  /// The text up to the next blank; empty at the end of the rule.
  std::string_view peek_word() const {
    if (at_end_of_rule()) return {};
    const auto end =
        std::find_if(line_.begin() + static_cast<std::ptrdiff_t>(position_), line_.end(), is_blank);
    return line_.substr(position_, static_cast<std::size_t>(end - line_.begin()) - position_);
  }

  std::string_view word() {
    const std::string_view found = peek_word();
    position_ += found.size();
    return found;
  }

  RulesError error(std::size_t column, std::string reason) const {
    return {number_, column, std::move(reason)};
  }
  RulesError expected(std::string_view what, std::string_view allowed) const {
    const std::string_view came = peek_word();
    if (came.empty()) {
      return error(column(), fmt::format("{} is missing; allowed: {}", what, allowed));
    }
    return error(column(), fmt::format("'{}' is no {}; allowed: {}", shown(came), what, allowed));
  }

  std::string_view line_;
  std::size_t number_;
  std::size_t position_ = 0;
};

Read<std::optional<RuleLine>> LineReader::read() {
  const auto checked = check_bytes();
  if (!checked) return checked.error();
  skip_blanks();
  if (at_end_of_rule()) return std::optional<RuleLine>();
  auto found = rule();
  if (!found) return found.error();
  return std::optional<RuleLine>(std::move(*found));
}

Read<RuleLine> LineReader::rule() {
  RuleLine found;
  found.rule.line = number_;
  const auto limited = limit();
  if (!limited) return limited.error();
  found.rule.limit = *limited;
  const auto named = discipline();
  if (!named) return named.error();
  found.rule.limit.discipline = *named;
  const auto counted = statistics();
  if (!counted) return counted.error();
  found.rule.limit.statistics = *counted;
  for (const auto step : {&LineReader::pattern, &LineReader::rewrite}) {
    const auto done = (this->*step)(found);
    if (!done) return done.error();
  }
  const auto ended = nothing_more();
  if (!ended) return ended.error();
  return found;
}

Read<void> LineReader::check_bytes() const {
  if (line_.size() > Rules::longest_line) {
    return error(Rules::longest_line + 1, fmt::format("the line has {} bytes; allowed: at most {}",
                                                      line_.size(), Rules::longest_line));
  }
  const auto found =
      std::ranges::find_if(line_, [](char byte) { return is_control(byte) && byte != '\t'; });
  if (found == line_.end()) return {};
  const unsigned code = static_cast<unsigned char>(*found);
  return error(static_cast<std::size_t>(found - line_.begin()) + 1,
               fmt::format("control byte 0x{0:02x}; allowed: \\x{0:02x} between quotes", code));
}

Read<Limit> LineReader::limit() {
  const std::size_t start = column();
  const std::string_view came = peek_word();
  const std::size_t slash = came.find('/');
  if (slash == std::string_view::npos) return expected("limit", allowed_limit);
  const auto number = uses(came.substr(0, slash), start);
  if (!number) return number.error();
  const auto seconds = period(came.substr(slash + 1), start + slash + 1);
  if (!seconds) return seconds.error();
  position_ += came.size();
  skip_blanks();
  return Limit{*number, *seconds};
}

Read<double> LineReader::uses(std::string_view text, std::size_t column) const {
  const std::size_t point = std::min(text.find('.'), text.size());
  const std::string_view whole = text.substr(0, point);
  const std::string_view fraction = text.substr(std::min(point + 1, text.size()));
  const bool is_whole = point == text.size();
  if (!is_number(whole) || (!is_whole && !is_number(fraction))) {
    return error(column,
                 fmt::format("'{}' is no number of uses; allowed: {}", shown(text), allowed_uses));
  }
  if (whole.size() > most_digits || fraction.size() > 1) {
    return error(column,
                 fmt::format("'{}' has too many digits; allowed: {}", shown(text), allowed_uses));
  }
  std::uint32_t tenths = 0;
  for (const char digit : whole) tenths = tenths * 10 + static_cast<std::uint32_t>(digit - '0');
  const double tenth = is_whole ? 0 : fraction[0] - '0';
  // The division rounds once: the double that "%.1f" prints as these digits.
  return (static_cast<double>(tenths) * 10 + tenth) / 10;
}

Read<std::uint32_t> LineReader::period(std::string_view text, std::size_t column) const {
  const auto seconds = base::number_in<std::uint32_t>(text);
  if (seconds && *seconds >= 1 && *seconds <= longest_period) return *seconds;
  return error(column, fmt::format("'{}' is no period; allowed: 1 to {} seconds", shown(text),
                                   longest_period));
}

Read<Discipline> LineReader::discipline() {
  for (const Discipline one : {Discipline::strict, Discipline::leaky}) {
    if (peek_word() != name_of(one)) continue;
    word();
    skip_blanks();
    return one;
  }
  return expected("discipline", "strict, leaky");
}

Read<bool> LineReader::statistics() {
  if (at_quote() || at_end_of_rule()) return false;
  if (peek_word() != "stats") {
    return error(column(), fmt::format("'{}' is not known here; allowed: stats, or {}",
                                       shown(peek_word()), allowed_quotes));
  }
  word();
  skip_blanks();
  return true;
}

Read<Quoted> LineReader::hexadecimal(std::size_t start) {
  const std::string_view digits = line_.substr(position_, 2);
  const auto code =
      digits.size() == 2 ? base::hex_byte(digits[0], digits[1]) : std::optional<std::uint8_t>();
  if (!code) {
    return error(start,
                 fmt::format("bad escape '\\x{}'; allowed: {}", shown(digits), allowed_escapes));
  }
  if (*code == '\n') return error(start, "'\\x0a' is a newline, which no key holds");
  position_ += 2;
  return Quoted{.byte = static_cast<char>(*code)};
}

Read<Quoted> LineReader::escaped(std::size_t start) {
  if (at_end()) return error(start, "the line ends after a backslash; allowed: a closing quote");
  const char next = line_[position_++];
  if (next == 'x') return hexadecimal(start);
  if (next >= '1' && next <= '9') {
    return Quoted{Quoted::Kind::capture, 0, static_cast<std::size_t>(next - '1')};
  }
  if (next != '\\' && next != '"' && next != '*' && next != '?') {
    return error(start,
                 fmt::format("bad escape '\\{}'; allowed: {}", shown({&next, 1}), allowed_escapes));
  }
  return Quoted{.byte = next};
}

Read<Quoted> LineReader::next_quoted() {
  const std::size_t start = column();
  const char next = line_[position_++];
  switch (next) {
    case '\\': return escaped(start);
    case '*': return Quoted{Quoted::Kind::star};
    case '?': return Quoted{Quoted::Kind::any_byte};
    case '\t': return error(start, "a tab between quotes; allowed: \\x09");
    default: return Quoted{.byte = next};
  }
}

/// Calls `take(Quoted, column)` for each byte between the quotes.
template <class Take>
Read<void> LineReader::quoted(Take&& take) {
  const std::size_t start = column();
  ++position_;
  while (!at_end() && !at_quote()) {
    const std::size_t here = column();
    const auto next = next_quoted();
    if (!next) return next.error();
    const Read<void> taken = take(*next, here);
    if (!taken) return taken.error();
  }
  if (at_end()) return error(start, "the quote is not closed; allowed: a closing \" in this line");
  ++position_;
  return {};
}

Read<void> LineReader::pattern(RuleLine& found) {
  if (!at_quote()) return expected("pattern", allowed_quotes);
  found.pattern_column = column();
  Pattern& pattern = found.rule.pattern;
  const auto done = quoted([&](const Quoted& next, std::size_t here) -> Read<void> {
    if (next.kind == Quoted::Kind::capture) {
      return error(
          here, fmt::format("'\\{}' in a pattern; allowed: {}", next.index + 1, allowed_escapes));
    }
    if (next.kind == Quoted::Kind::star && pattern.ends_with_star()) {
      return error(here, "'**' matches what '*' matches; allowed: one star");
    }
    if (next.kind == Quoted::Kind::star) pattern.add_star();
    if (next.kind == Quoted::Kind::any_byte) pattern.add_any_byte();
    if (next.kind == Quoted::Kind::byte) pattern.add_literal(next.byte);
    return {};
  });
  if (!done) return done.error();
  if (pattern.shortest() > longest_key) {
    return error(
        found.pattern_column,
        fmt::format("no key is that long: it needs {} bytes, and a request has room for {}",
                    pattern.shortest(), longest_key));
  }
  found.rule.pattern_text =
      line_.substr(found.pattern_column, position_ - found.pattern_column - 1);
  return {};
}

Read<void> LineReader::add_to_rewrite(const Quoted& next, std::size_t here, RuleLine& found) const {
  Rewrite& rewrite = found.rule.rewrite;
  switch (next.kind) {
    case Quoted::Kind::byte: rewrite.add_literal(next.byte); return {};
    case Quoted::Kind::star:
      return error(
          here, R"('*' in a key; allowed: \1 for what the first star stands for, \* for itself)");
    case Quoted::Kind::any_byte: return error(here, R"('?' in a key; allowed: \? for itself)");
    case Quoted::Kind::capture: break;
  }
  const std::size_t stars = found.rule.pattern.stars();
  if (next.index >= stars) {
    return error(here, fmt::format("'\\{}', but the pattern has {} {}; allowed: a star that it has",
                                   next.index + 1, stars, stars == 1 ? "star" : "stars"));
  }
  if (rewrite.uses(next.index)) {
    return error(here, fmt::format("'\\{}' comes twice; allowed: each star once", next.index + 1));
  }
  rewrite.add_star(next.index);
  return {};
}

Read<void> LineReader::rewrite(RuleLine& found) {
  skip_blanks();
  if (peek_word() != "as") return {};
  word();
  skip_blanks();
  if (!at_quote()) return expected("key", "a key in double quotes, such as \"ws agents\"");
  found.rewrite_column = column();
  found.rule.rewrites = true;
  const auto done = quoted(
      [&](const Quoted& next, std::size_t here) { return add_to_rewrite(next, here, found); });
  if (!done) return done.error();
  found.rule.rewrite_text =
      line_.substr(found.rewrite_column, position_ - found.rewrite_column - 1);
  if (found.rule.rewrite.literal_bytes() <= longest_key) return {};
  return error(found.rewrite_column, fmt::format("the key has {} bytes; allowed: at most {}",
                                                 found.rule.rewrite.literal_bytes(), longest_key));
}

Read<void> LineReader::nothing_more() {
  skip_blanks();
  if (at_end_of_rule()) return {};
  const std::string_view allowed =
      "the end of the line, a # comment, or as with a key in double quotes";
  return error(column(),
               fmt::format("'{}' after the rule; allowed: {}", shown(peek_word()), allowed));
}

}  // namespace

Read<std::optional<RuleLine>> read_rule_line(std::string_view line, std::size_t number) {
  return LineReader(line, number).read();
}

}  // namespace hallmark::protocol::ratelimit
