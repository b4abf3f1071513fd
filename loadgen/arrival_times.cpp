#include "loadgen/arrival_times.hpp"

#include <fmt/format.h>

#include <charconv>
#include <fstream>
#include <optional>

#include "loadgen/duration.hpp"

namespace hallmark::loadgen {
namespace {

constexpr std::int64_t most_seconds = std::int64_t{1} << 32;

/// Digits behind the point, in nanoseconds; what is finer is cut off.
std::optional<std::int64_t> fraction_of(std::string_view digits) {
  std::int64_t ns = 0;
  std::int64_t unit = second_ns / 10;
  for (const char digit : digits) {
    if (digit < '0' || digit > '9') return std::nullopt;
    ns += (digit - '0') * unit;
    unit /= 10;
  }
  return ns;
}

/// In nanoseconds; a double would be too coarse for seconds since 1970.
std::optional<std::int64_t> time_of(std::string_view text) {
  const std::size_t point = text.find('.');
  const std::string_view whole = text.substr(0, point);
  std::int64_t seconds = 0;
  const auto [stop, error] = std::from_chars(whole.data(), whole.data() + whole.size(), seconds);
  const bool read = error == std::errc{} && stop == whole.data() + whole.size();
  if (!read || seconds < 0 || seconds >= most_seconds) return std::nullopt;
  const auto fraction = fraction_of(point == std::string_view::npos ? "" : text.substr(point + 1));
  if (!fraction) return std::nullopt;
  return seconds * second_ns + *fraction;
}

}  // namespace

Result<ArrivalTimes> read_arrival_times(const std::string& path) {
  std::ifstream file(path);
  if (!file) return Error{fmt::format("cannot read {}", path)};
  ArrivalTimes times;
  std::int64_t first = 0;
  std::string line;
  for (std::size_t number = 1; std::getline(file, line); ++number) {
    const std::string_view text = std::string_view(line).substr(0, line.find_first_of(", \t\r"));
    if (text.empty() || text.front() == '#') continue;
    const auto time = time_of(text);
    if (!time) {
      return Error{fmt::format("{}:{}: '{}' is no time in seconds, such as 0.25", path, number,
                               text.substr(0, 40))};
    }
    if (times.empty()) first = *time;
    if (*time < first + (times.empty() ? 0 : times.back())) {
      return Error{fmt::format("{}:{}: {} is before the time above it; times have to ascend", path,
                               number, text)};
    }
    times.push_back(*time - first);
  }
  if (file.bad()) return Error{fmt::format("cannot read {} to its end", path)};
  if (times.empty()) return Error{fmt::format("{}: no time in it", path)};
  return times;
}

}  // namespace hallmark::loadgen
