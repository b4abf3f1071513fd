#pragma once
#include <cmath>
#include <cstdint>
#include <limits>

namespace hallmark::protocol {

/// The number of tenths that "%.1f" prints for `value`: the exact binary value, rounded to the
/// nearest tenth, an exact tie to the even one. `value` is not negative and not NaN. A value of
/// 2^64 tenths or more gives 2^64-1.
inline std::uint64_t tenths_of(double value) {
  constexpr double beyond = 18446744073709551616.0;  // 2^64
  // Every double is whole from here on; what the product was rounded by is more than a correction.
  constexpr double whole = 4503599627370496.0;  // 2^52
  const double product = value * 10;
  if (product >= beyond) return std::numeric_limits<std::uint64_t>::max();
  const double rounded_by = std::fma(value, 10, -product);  // exact: value * 10 is the sum of both
  if (product >= whole) {
    const auto correction = static_cast<std::int64_t>(std::nearbyint(rounded_by));
    return static_cast<std::uint64_t>(product) + static_cast<std::uint64_t>(correction);
  }
  const double tenths = std::nearbyint(product);
  const double from_tie = product - tenths;
  if (from_tie == 0.5 && rounded_by > 0) return static_cast<std::uint64_t>(tenths) + 1;
  if (from_tie == -0.5 && rounded_by < 0) return static_cast<std::uint64_t>(tenths) - 1;
  return static_cast<std::uint64_t>(tenths);
}

}  // namespace hallmark::protocol
