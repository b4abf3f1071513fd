#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

/// The spelling of each kind of text field, for the generic walkers and the compile-time codec.
namespace hallmark::protocol::text {

/// Digits at the front that a space follows; the space is not among them. Empty when there are
/// none.
std::string_view tag_at_front(std::string_view message);

struct Decimal {
  std::uint64_t number = 0;  ///< in units of the last digit
  std::size_t length = 0;    ///< in bytes
};

/// An unsigned number at the front as `printf` writes it: no superfluous zeros, and behind a point
/// exactly that many `decimals`. Nothing when there is none, or one beyond 64 bits.
std::optional<Decimal> decimal_at_front(std::string_view message, std::size_t decimals);

struct Signed {
  std::int64_t number = 0;
  std::size_t length = 0;  ///< in bytes
};

/// A decimal number at the front: a minus if it is below zero, no plus, no superfluous zeros.
std::optional<Signed> signed_at_front(std::string_view message);

struct Real {
  double number = 0;
  std::size_t length = 0;  ///< in bytes
};

/// A finite float64 at the front: perhaps a minus, digits without superfluous zeros before them,
/// perhaps a point with digits behind it, perhaps an `e` with a signed exponent. Nothing else: no
/// plus, no hexadecimal, no infinity, no NaN.
std::optional<Real> real_at_front(std::string_view message);

/// Most bytes that a signed decimal takes, and a real.
inline constexpr std::size_t most_signed_bytes = 20;
inline constexpr std::size_t most_real_bytes = 24;

/// Each writes the number to `out` and returns its length.
std::size_t write_signed(char* out, std::int64_t number);

/// The shortest text that reads back to the same value, laid out like `%g`: with an exponent below
/// 1e-4 and from 1e6 on. Precondition: `number` is finite.
std::size_t write_real(char* out, double number);

/// Most bytes that a decimal takes.
inline constexpr std::size_t most_decimal_bytes = 22;

/// Writes the number to `out`; returns its length. `decimals` is at most 19.
std::size_t write_decimal(char* out, std::uint64_t number, std::size_t decimals);

inline std::string_view word_at_front(std::string_view message, char until = ' ') {
  return message.substr(0, message.find(until));
}

/// Bytes at the front that a state takes which ends at `until`; at the last of these bytes if
/// `last`. Nothing when that byte is missing.
inline std::optional<std::size_t> state_at_front(std::string_view message, char until, bool last) {
  if (until == '\0') return message.size();
  const std::size_t end = last ? message.rfind(until) : message.find(until);
  if (end == std::string_view::npos) return std::nullopt;
  return end;
}

inline bool is_tag(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

inline bool is_word(std::string_view text, char until = ' ') {
  return !text.empty() && text.find(until) == std::string_view::npos;
}

inline bool is_line(std::string_view text) { return text.find('\n') == std::string_view::npos; }

}  // namespace hallmark::protocol::text
