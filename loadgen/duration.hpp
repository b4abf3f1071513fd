#pragma once
#include <chrono>
#include <cstdint>
#include <string_view>

#include "loadgen/result.hpp"

namespace hallmark::loadgen {

inline constexpr double ns_per_second = 1e9;
inline constexpr std::int64_t second_ns = 1'000'000'000;

/// Reads `250us`, `500ms`, `10s`, `1.5m`, `2h`; at most a day. The error says what is allowed.
Result<std::chrono::nanoseconds> parse_duration(std::string_view text);

}  // namespace hallmark::loadgen
