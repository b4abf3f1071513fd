#pragma once

#include <cstddef>
#include <cstdint>

/// Integers as the binary dialects send them: little-endian, as wide as the field says.
namespace hallmark::protocol {

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
