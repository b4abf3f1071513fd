#include "loadgen/arrivals/arrival_times.hpp"

#include <fmt/format.h>

#include <optional>

#include "base/line_reader.hpp"
#include "base/nanoseconds.hpp"
#include "base/number.hpp"
#include "base/read_file.hpp"
#include "base/text.hpp"

namespace hallmark::loadgen {
namespace {

using base::Error;
using base::Result;

constexpr std::int64_t most_seconds = std::int64_t{1} << 32;

/// Digits behind the point, in nanoseconds; what is finer is cut off.
std::optional<std::int64_t> fraction_of(std::string_view digits) {
  std::int64_t ns = 0;
  std::int64_t unit = base::second_ns / 10;
  for (const char digit : digits) {
    if (digit < '0' || digit > '9') return std::nullopt;
    ns += (digit - '0') * unit;
    unit /= 10;
  }
  return ns;
}

/// The time in nanoseconds. A double would be too coarse for seconds since 1970.
std::optional<std::int64_t> time_of(std::string_view text) {
  const std::size_t point = text.find('.');
  const auto seconds = base::number_in<std::int64_t>(text.substr(0, point));
  if (!seconds || *seconds < 0 || *seconds >= most_seconds) return std::nullopt;
  const auto fraction = fraction_of(point == std::string_view::npos ? "" : text.substr(point + 1));
  if (!fraction) return std::nullopt;
  return *seconds * base::second_ns + *fraction;
}

}  // namespace

Result<ArrivalTimes> read_arrival_times(const std::string& path) {
  constexpr std::uint64_t most_bytes = 1024 * base::mebibyte;
  auto file = base::LineReader::open(path, most_bytes, "a list of times to replay");
  if (!file) return file.error();
  ArrivalTimes times;
  std::int64_t first = 0;
  auto line = file->next();
  for (; line && *line; line = file->next()) {
    const std::string_view text = (*line)->substr(0, (*line)->find_first_of(", \t\r"));
    if (text.empty() || text.front() == '#') continue;
    const auto time = time_of(text);
    if (!time) {
      return Error{fmt::format("{}:{}: '{}' is no time in seconds, such as 0.25", path,
                               file->line_number(), base::excerpt(text, 40))};
    }
    if (times.empty()) first = *time;
    if (*time < first + (times.empty() ? 0 : times.back())) {
      return Error{fmt::format("{}:{}: {} is before the time above it; times have to ascend", path,
                               file->line_number(), text)};
    }
    times.push_back(*time - first);
  }
  if (!line) return line.error();
  if (times.empty()) return Error{fmt::format("{}: no time in it", path)};
  return times;
}

}  // namespace hallmark::loadgen
