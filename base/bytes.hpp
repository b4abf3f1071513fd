#pragma once
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace hallmark::base {

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

}  // namespace hallmark::base
