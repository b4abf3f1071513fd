#pragma once

#include <optional>

#include "reference/protocol/bytes.hpp"

/// How the kinds of text fields look: what the generic walkers and the compile-time codec share.
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

/// Most bytes that a decimal takes.
inline constexpr std::size_t most_decimal_bytes = 22;

/// Writes the number to `out`; returns its length. `decimals` is at most 19.
std::size_t write_decimal(char* out, std::uint64_t number, std::size_t decimals);

inline std::string_view word_at_front(std::string_view message) {
  return message.substr(0, message.find(' '));
}

inline bool is_tag(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

inline bool is_word(std::string_view text) {
  return !text.empty() && text.find(' ') == std::string_view::npos;
}

inline bool is_line(std::string_view text) { return text.find('\n') == std::string_view::npos; }

}  // namespace hallmark::protocol::text
