#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "conformance/record/packed.hpp"

/// Bytes in lower-case hexadecimal, in which `(0001)*3;` stands for `000100010001`.
namespace hallmark::certificate {

/// The most that one crossing carries.
inline constexpr std::uint64_t most_packed_bytes = std::uint64_t{64} << 20;

void append_packed_hex(std::string& to, const conformance::Packed& bytes);

/// The bytes that the text stands for; empty if it is malformed, or if it stands for more than
/// `most_packed_bytes`.
std::optional<conformance::Packed> from_packed_hex(std::string_view hex);

}  // namespace hallmark::certificate
