#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace hallmark::loadgen {

/// Base64 with padding (RFC 4648, section 4).
std::string base64_encode(std::span<const std::uint8_t> bytes);

/// Strict inverse: nothing when a character, the length or the padding is not base64.
std::optional<std::vector<std::uint8_t>> base64_decode(std::string_view text);

}  // namespace hallmark::loadgen
