#pragma once
#include <cstdint>

namespace hallmark::base {

inline constexpr std::int64_t second_ns = 1'000'000'000;
inline constexpr double ns_per_second = 1e9;

}  // namespace hallmark::base
