#pragma once
#include <optional>
#include <string>

#include "base/bytes.hpp"

namespace hallmark::base {

/// 0 to 15 for a hexadecimal digit of either case, -1 for everything else.
constexpr int hex_digit(char c) noexcept {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

/// The byte that two hexadecimal digits of either case spell. Nothing: one is not a digit.
constexpr std::optional<std::uint8_t> hex_byte(char high, char low) noexcept {
  const int upper = hex_digit(high);
  const int lower = hex_digit(low);
  if (upper < 0 || lower < 0) return std::nullopt;
  return static_cast<std::uint8_t>(upper << 4 | lower);
}

/// Appends two lower-case digits a byte.
void append_hex(std::string& to, ByteView bytes);

/// Two lower-case digits a byte: "020161", or "02 01 61" with " " as `separator`.
std::string to_hex(ByteView bytes, std::string_view separator = {});

/// Reads pairs of hexadecimal digits of either case; blanks, tabs, line ends and `:` may stand
/// between pairs. Nothing: a digit is missing, or there is something else.
std::optional<Bytes> from_hex(std::string_view text);

/// Reads what `to_hex` writes without a separator: pairs of lower-case digits and nothing else.
std::optional<Bytes> from_canonical_hex(std::string_view text);

}  // namespace hallmark::base
