#include "base/utc.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <cstdio>
#include <ctime>

namespace hallmark::base {

std::string iso_utc(UtcTime time) {
  const auto seconds = std::chrono::floor<std::chrono::seconds>(time);
  // Not by system_clock, which counts nanoseconds and ends in 2262.
  const auto parts = fmt::gmtime(static_cast<std::time_t>(seconds.time_since_epoch().count()));
  return fmt::format("{:%Y-%m-%dT%H:%M:%S}.{:03}Z", parts, (time - seconds).count());
}

std::optional<UtcTime> parse_utc(std::string_view text) {
  using namespace std::chrono;
  int y = 0;
  unsigned mo = 0, d = 0;
  int h = 0, mi = 0, s = 0, ms = 0;
  const int fields = std::sscanf(  // NOLINT(cert-err34-c): compared with its own rendering below
      std::string(text).c_str(), "%4d-%2u-%2uT%2d:%2d:%2d.%3dZ", &y, &mo, &d, &h, &mi, &s, &ms);
  const year_month_day date{year(y), month(mo), day(d)};
  if (fields != 7 || !date.ok()) return std::nullopt;
  const UtcTime time = sys_days(date) + hours(h) + minutes(mi) + seconds(s) + milliseconds(ms);
  if (iso_utc(time) != text) return std::nullopt;
  return time;
}

}  // namespace hallmark::base
