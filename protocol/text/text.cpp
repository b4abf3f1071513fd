#include "protocol/text/text.hpp"

#include <algorithm>
#include <charconv>
#include <limits>

#include "base/digit.hpp"

namespace hallmark::protocol::text {
namespace {

std::size_t digits_at_front(std::string_view text) {
  return std::min(text.find_first_not_of("0123456789"), text.size());
}

/// number * 10 + digit for each; nothing when that leaves 64 bits.
bool append_digits(std::string_view digits, std::uint64_t& number) {
  constexpr auto most = std::numeric_limits<std::uint64_t>::max();
  for (const char c : digits) {
    const auto digit = static_cast<std::uint64_t>(c - '0');
    if (number > (most - digit) / 10) return false;
    number = number * 10 + digit;
  }
  return true;
}

}  // namespace

std::string_view tag_at_front(std::string_view message) {
  const std::size_t digits = digits_at_front(message);
  if (digits == 0 || digits == message.size() || message[digits] != ' ') return {};
  return message.substr(0, digits);
}

std::optional<Decimal> decimal_at_front(std::string_view message, std::size_t decimals) {
  const std::size_t whole = digits_at_front(message);
  if (whole == 0 || (whole > 1 && message[0] == '0')) return std::nullopt;
  Decimal decimal{.length = whole};
  if (!append_digits(message.substr(0, whole), decimal.number)) return std::nullopt;
  if (decimals == 0) return decimal;
  const std::string_view behind = message.substr(whole);
  if (behind.size() <= decimals || behind[0] != '.') return std::nullopt;
  const std::string_view fraction = behind.substr(1, decimals);
  if (!std::ranges::all_of(fraction, base::is_digit)) return std::nullopt;
  if (behind.size() > decimals + 1 && base::is_digit(behind[decimals + 1])) return std::nullopt;
  if (!append_digits(fraction, decimal.number)) return std::nullopt;
  decimal.length += 1 + decimals;
  return decimal;
}

std::size_t write_decimal(char* out, std::uint64_t number, std::size_t decimals) {
  char digits[20];
  const auto written = std::to_chars(digits, digits + sizeof digits, number);
  std::size_t length = static_cast<std::size_t>(written.ptr - digits);
  if (decimals == 0) {
    std::copy_n(digits, length, out);
    return length;
  }
  // At least one digit stands before the point.
  const std::size_t zeros = length > decimals ? 0 : decimals + 1 - length;
  char* at = std::fill_n(out, zeros, '0');
  at = std::copy_n(digits, length, at);
  length += zeros;
  std::copy_backward(out + length - decimals, out + length, out + length + 1);
  out[length - decimals] = '.';
  return length + 1;
}

std::optional<Signed> signed_at_front(std::string_view message) {
  const std::size_t sign = message.starts_with('-') ? 1 : 0;
  const std::size_t digits = digits_at_front(message.substr(sign));
  if (digits == 0 || (message[sign] == '0' && sign + digits > 1)) return std::nullopt;
  Signed value;
  const char* const begin = message.data();
  const auto read = std::from_chars(begin, begin + sign + digits, value.number);
  if (read.ec != std::errc()) return std::nullopt;
  value.length = sign + digits;
  return value;
}

namespace {

/// Length of the text at the front that looks like a float64; 0 when there is none.
std::size_t real_length(std::string_view text) {
  std::size_t at = text.starts_with('-') ? 1 : 0;
  const std::size_t whole = digits_at_front(text.substr(at));
  if (whole == 0 || (whole > 1 && text[at] == '0')) return 0;
  at += whole;
  if (at < text.size() && text[at] == '.') {
    const std::size_t fraction = digits_at_front(text.substr(at + 1));
    if (fraction == 0) return 0;
    at += 1 + fraction;
  }
  if (at < text.size() && text[at] == 'e') {
    const bool has_sign = at + 1 < text.size() && (text[at + 1] == '-' || text[at + 1] == '+');
    const std::size_t exponent = digits_at_front(text.substr(at + 1 + (has_sign ? 1 : 0)));
    if (exponent == 0) return 0;
    at += 1 + (has_sign ? 1 : 0) + exponent;
  }
  return at;
}

}  // namespace

std::optional<Real> real_at_front(std::string_view message) {
  const std::size_t length = real_length(message);
  if (length == 0) return std::nullopt;
  Real value{.length = length};
  const char* const begin = message.data();
  const auto read = std::from_chars(begin, begin + length, value.number);
  if (read.ec != std::errc()) return std::nullopt;
  return value;
}

std::size_t write_signed(char* out, std::int64_t number) {
  return static_cast<std::size_t>(std::to_chars(out, out + most_signed_bytes, number).ptr - out);
}

std::size_t write_real(char* out, double number) {
  // Without a precision, `general` decides as %g does with its default precision of six digits.
  const auto written =
      std::to_chars(out, out + most_real_bytes, number, std::chars_format::general);
  return static_cast<std::size_t>(written.ptr - out);
}

}  // namespace hallmark::protocol::text
