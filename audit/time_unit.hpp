#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace hallmark::audit {

/// The earliest time, in nanoseconds since 1970, at which limiters can have written states:
/// 2001-09-09.
inline constexpr std::int64_t first_plausible_time = 1'000'000'000'000'000'000;

/// A time that was written in another unit than nanoseconds.
struct OtherUnit {
  std::string_view name;     ///< "seconds"
  std::int64_t nanoseconds;  ///< since 1970: the time that was meant
};

/// Tells times since 1970 in seconds, milliseconds and microseconds by their size: a number of 10,
/// 13 or 16 digits is one from 2001 to 2262. As nanoseconds each of them would be in the first four
/// months of 1970. Returns nothing for any other number.
std::optional<OtherUnit> other_unit_of(std::int64_t number);

/// A time in nanoseconds since 1970 for people: "2025-10-31T04:14:15.342Z".
std::string date_of(std::int64_t nanoseconds);

}  // namespace hallmark::audit
