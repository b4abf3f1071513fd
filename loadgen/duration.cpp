#include "loadgen/duration.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>

namespace hallmark::loadgen {
namespace {

struct Unit {
  std::string_view name;
  double nanoseconds;
};

constexpr Unit units[] = {{"ns", 1},  {"us", 1e3}, {"ms", 1e6},
                          {"s", 1e9}, {"m", 60e9}, {"h", 3600e9}};
constexpr double most_nanoseconds = 24 * 3600e9;

}  // namespace

Result<std::chrono::nanoseconds> parse_duration(std::string_view text) {
  double number = 0;
  const auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), number, std::chars_format::fixed);
  const std::string_view unit{end, text.data() + text.size()};
  for (const Unit& known : units) {
    if (error != std::errc{} || unit != known.name) continue;
    const double nanoseconds = number * known.nanoseconds;
    if (!(nanoseconds >= 0 && nanoseconds <= most_nanoseconds)) break;
    return std::chrono::nanoseconds{std::llround(nanoseconds)};
  }
  return Error{fmt::format(
      "duration '{}'; allowed: a number with ns, us, ms, s, m or h, from 0 to 24h", text)};
}

}  // namespace hallmark::loadgen
