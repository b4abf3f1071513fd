#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace hallmark::protocol {

using Bytes = std::vector<std::uint8_t>;
using ByteView = std::span<const std::uint8_t>;

/// The same memory seen as text; no conversion takes place.
inline std::string_view as_text(ByteView bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// The same memory seen as bytes; no conversion takes place.
inline ByteView as_bytes(std::string_view text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

inline Bytes to_bytes(std::string_view text) { return {text.begin(), text.end()}; }

inline void append(Bytes& to, ByteView bytes) { to.insert(to.end(), bytes.begin(), bytes.end()); }

/// Two lower-case digits a byte, nothing between them.
std::string to_hex(ByteView bytes);

/// Reads pairs of hexadecimal digits of either case; blanks, tabs, newlines and `:` between pairs
/// are passed over. Nothing when a digit is missing or is none.
std::optional<Bytes> from_hex(std::string_view text);

/// Little-endian, `width` bytes of 1 to 8; higher bytes of `value` are dropped.
inline void store_little_endian(std::uint8_t* out, std::uint64_t value, std::size_t width) {
  for (std::size_t i = 0; i < width; ++i) out[i] = static_cast<std::uint8_t>(value >> (8 * i));
}

/// Little-endian, `width` bytes of 1 to 8.
inline std::uint64_t load_little_endian(const std::uint8_t* in, std::size_t width) {
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < width; ++i) value |= std::uint64_t{in[i]} << (8 * i);
  return value;
}

/// The largest number that fits `width` bytes, 1 to 8.
constexpr std::uint64_t max_of_width(std::size_t width) {
  return width >= 8 ? ~std::uint64_t{0} : (std::uint64_t{1} << (8 * width)) - 1;
}

}  // namespace hallmark::protocol
