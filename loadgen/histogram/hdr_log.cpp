#include "loadgen/histogram/hdr_log.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <istream>
#include <ostream>

#include "base/number.hpp"
#include "loadgen/histogram/hdr_codec.hpp"

namespace hallmark::loadgen {
namespace {

using base::Error;
using base::Result;

constexpr std::string_view start_mark = "#[StartTime: ";
constexpr std::string_view tag_mark = "Tag=";
constexpr double ns_per_ms = 1e6;

bool read_number(std::string_view text, double& number) {
  const auto read = base::number_in<double>(text);
  if (read) number = *read;
  return read.has_value();
}

std::string_view take_field(std::string_view& line) {
  const auto comma = line.find(',');
  const auto field = line.substr(0, comma);
  line.remove_prefix(comma == std::string_view::npos ? line.size() : comma + 1);
  return field;
}

bool read_start(std::string_view line, double& seconds) {
  line.remove_prefix(start_mark.size());
  return read_number(line.substr(0, line.find(' ')), seconds);
}

Result<LoggedInterval> read_interval(std::string_view line) {
  LoggedInterval interval;
  if (line.starts_with(tag_mark)) interval.tag = take_field(line).substr(tag_mark.size());
  const std::string_view start = take_field(line);
  const std::string_view length = take_field(line);
  const std::string_view max = take_field(line);
  double ignored = 0;
  if (!read_number(start, interval.start_seconds) ||
      !read_number(length, interval.length_seconds) || !read_number(max, ignored)) {
    return Error{"expected start, length and maximum as numbers"};
  }
  auto histogram = decode_compressed_base64(line);
  if (!histogram) return histogram.error();
  interval.histogram = std::move(*histogram);
  return interval;
}

Error at_line(std::size_t number, std::string_view what) {
  return {fmt::format("line {}: {}", number, what)};
}

}  // namespace

IntervalLogWriter::IntervalLogWriter(Out out, std::string_view comment,
                                     std::chrono::system_clock::time_point start)
    : out_(std::move(out)) {
  using namespace std::chrono;
  const double seconds = duration<double>(start.time_since_epoch()).count();
  const auto date = fmt::gmtime(floor<std::chrono::seconds>(start));
  out_(fmt::format("#[{}]\n#[Histogram log format version 1.3]\n", comment) +
       fmt::format("#[BaseTime: {:.3f} (seconds since epoch)]\n", seconds) +
       fmt::format("{}{:.3f} (seconds since epoch), {:%a %b %d %H:%M:%S} UTC {:%Y}]\n", start_mark,
                   seconds, date, date) +
       "\"StartTimestamp\",\"Interval_Length\",\"Interval_Max\","
       "\"Interval_Compressed_Histogram\"\n");
}

void IntervalLogWriter::write(std::string_view tag, double start_seconds, double length_seconds,
                              const Histogram& histogram) {
  const std::string front = tag.empty() ? "" : fmt::format("{}{},", tag_mark, tag);
  out_(fmt::format("{}{:.3f},{:.3f},{:.3f},{}\n", front, start_seconds, length_seconds,
                   static_cast<double>(histogram.max()) / ns_per_ms,
                   encode_compressed_base64(histogram)));
}

Result<IntervalLog> read_interval_log(std::istream& in) {
  IntervalLog log;
  std::string line;
  for (std::size_t number = 1; std::getline(in, line); ++number) {
    if (line.starts_with(start_mark) && !read_start(line, log.start_seconds_since_epoch)) {
      return at_line(number, "expected a start time in seconds");
    }
    if (line.empty() || line.front() == '#' || line.front() == '"') continue;
    auto interval = read_interval(line);
    if (!interval) return at_line(number, interval.error().message);
    log.intervals.push_back(std::move(*interval));
  }
  return log;
}

}  // namespace hallmark::loadgen
