#include "audit/time_unit.hpp"

#include <limits>

#include "base/utc.hpp"

namespace hallmark::audit {

std::optional<OtherUnit> other_unit_of(std::int64_t number) {
  struct Unit {
    std::string_view name;
    std::int64_t nanoseconds;
  };
  constexpr Unit units[] = {
      {"seconds", 1'000'000'000}, {"milliseconds", 1'000'000}, {"microseconds", 1'000}};
  constexpr std::int64_t last = std::numeric_limits<std::int64_t>::max();
  for (const Unit& unit : units) {
    if (number >= first_plausible_time / unit.nanoseconds && number <= last / unit.nanoseconds)
      return OtherUnit{unit.name, number * unit.nanoseconds};
  }
  return std::nullopt;
}

std::string date_of(std::int64_t nanoseconds) {
  const std::chrono::sys_time<std::chrono::nanoseconds> time{std::chrono::nanoseconds(nanoseconds)};
  return base::iso_utc(std::chrono::floor<std::chrono::milliseconds>(time));
}

}  // namespace hallmark::audit
