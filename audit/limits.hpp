#pragma once
#include <cstdint>

namespace hallmark::audit {

inline constexpr std::int64_t nanoseconds_a_second = 1'000'000'000;
inline constexpr std::int64_t nanoseconds_a_year = nanoseconds_a_second * 3600 * 24 * 365;

/// The zero time of Go in nanoseconds since the epoch, as it wraps around 64 bits.
inline constexpr std::int64_t go_zero_time = -6'795'364'578'871'345'152;

/// The bounds of plausible times, all in nanoseconds.
struct Limits {
  std::int64_t now = 0;  ///< since the epoch
  /// How far the clocks of writers may be ahead; 0 or more.
  std::int64_t skew = 5 * nanoseconds_a_second;
  /// The furthest into the future that the theoretical arrival time of GCRA may lie; 0 or more.
  std::int64_t horizon = nanoseconds_a_year;
  /// The greatest age that a state may have; 0 or more.
  std::int64_t oldest = nanoseconds_a_year;
};

}  // namespace hallmark::audit
