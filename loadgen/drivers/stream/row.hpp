#pragma once

#include <cstddef>

namespace hallmark::loadgen {

/// Requests appended, and replies taken, at once. What is in flight is looked at so far ahead of
/// what came.
inline constexpr std::size_t longest_row = 64;

}  // namespace hallmark::loadgen
