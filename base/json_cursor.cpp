#include "base/json_cursor.hpp"

#include <algorithm>

#include "base/digit.hpp"

namespace hallmark::base {
namespace {

constexpr std::size_t longest_token_shown = 40;
constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";

bool is_between_tokens(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == ',' || c == ':';
}

bool is_of_number(char c) {
  return is_digit(c) || c == '-' || c == '+' || c == '.' || c == 'e' || c == 'E';
}

/// The end of the number (RFC 8259, 6) that a text begins with, as far as it is one.
const char* end_of_number(const char* at, const char* end) {
  const auto digits = [&](const char* from) { return std::find_if_not(from, end, is_digit); };
  if (at != end && *at == '-') ++at;
  at = at != end && *at == '0' ? at + 1 : digits(at);
  if (at != end && *at == '.') at = digits(at + 1);
  if (at == end || (*at != 'e' && *at != 'E')) return at;
  const char* const power = at + 1;
  const bool is_signed = power != end && (*power == '+' || *power == '-');
  return digits(power + (is_signed ? 1 : 0));
}

}  // namespace

JsonCursor::JsonCursor(std::string_view text, bool is_line)
    : begin_(text.data()),
      end_(begin_ + text.size()),
      at_(begin_),
      known_(begin_ + (text.starts_with(byte_order_mark) ? byte_order_mark.size() : 0)),
      token_(known_),
      line_begin_(begin_),
      is_line_(is_line) {}

void JsonCursor::take_token() {
  separator_ = '\0';
  for (; known_ != end_ && is_between_tokens(*known_); ++known_) {
    if (*known_ == ',' || *known_ == ':') separator_ = *known_;
    if (*known_ != '\n') continue;
    ++line_;
    line_begin_ = known_ + 1;
  }
  token_ = known_;
  if (known_ != end_ && (is_digit(*known_) || *known_ == '-')) {
    known_ = end_of_number(known_, end_);
  } else {
    known_ = std::max(known_, at_);
  }
}

TextPlace JsonCursor::place() const { return place_of(token_); }

TextPlace JsonCursor::place_of_last_byte() const { return place_of(std::max(at_ - 1, token_)); }

TextPlace JsonCursor::place_of(const char* byte) const {
  return {is_line_ ? 0 : line_, static_cast<std::uint32_t>(byte - line_begin_) + 1};
}

std::string_view JsonCursor::token() const {
  const char* const last = std::find_if_not(known_, end_, is_of_number);
  const bool is_number = known_ != token_ && is_of_number(*token_);
  const auto length = static_cast<std::size_t>((is_number ? last : known_) - token_);
  return {token_, std::min(length, longest_token_shown)};
}

}  // namespace hallmark::base
