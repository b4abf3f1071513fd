#pragma once
#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/error.hpp"
#include "base/number.hpp"

/// Durations, rates and shares as people write and read them.
namespace hallmark::base {

/// A suffix behind a number: one of it is `times` / `per` of the unit that is counted.
struct Unit {
  std::string_view name;
  double times = 1;
  double per = 1;
};

/// Suffixes of durations, which are counted in nanoseconds.
inline constexpr Unit duration_units[] = {{"ns"},     {"us", 1e3}, {"ms", 1e6},
                                          {"s", 1e9}, {"m", 60e9}, {"h", 3600e9}};
/// Suffixes of shares, which are counted in wholes.
inline constexpr Unit share_units[] = {{""}, {"%", 1, 100}};
/// Suffixes of counts, which are counted in single things.
inline constexpr Unit count_units[] = {{""}, {"k", 1e3}, {"M", 1e6}};

struct Quantity {
  double number = 0;  ///< as it is written; perhaps negative, infinite or not a number
  Unit unit;

  /// Rounded to 15 digits: 128.2k is 128200, which a product of doubles is not.
  double value() const;
};

/// Reads a number with one of `units` behind it, without a blank between. Nothing: it is none.
std::optional<Quantity> quantity_in(std::string_view text, std::span<const Unit> units,
                                    Notation notation = Notation::general);

/// Reads `250us`, `500ms`, `10s`, `1.5m`, `2h`; at most a day. The error says what is allowed.
Result<std::chrono::nanoseconds> parse_duration(std::string_view text);

/// Reads how many of all: a share (`0.02`) or percent (`2%`). Result: in [0, 1]. The error says
/// what is allowed.
Result<double> parse_share(std::string_view text);

/// Nanoseconds for people, three digits: "950 ns", "12.3 µs", "4.56 ms", "1.20 s".
std::string human_duration(std::chrono::nanoseconds duration);

/// Bytes for people, three digits, in powers of 1000: "950 B", "12.3 kB", "4.56 MB", "1.20 GB".
std::string human_bytes(std::uint64_t bytes);

/// A duration as `parse_duration` reads it, in the largest of s, ms and us without a fraction.
std::string exact_duration(std::chrono::nanoseconds duration);

/// A count as people write it: "2500", "50k", "1.5M".
std::string human_count(double count);

/// A share in percent: "12.5 %".
std::string percent(double share);

}  // namespace hallmark::base
