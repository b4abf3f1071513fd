#pragma once
#include <chrono>
#include <functional>
#include <iosfwd>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "loadgen/histogram/histogram.hpp"

namespace hallmark::loadgen {

/// Writes HdrHistogram's interval log, format version 1.3: comment lines, a legend, then one line
/// per interval and tag, times in seconds from the start of the log, the maximum in milliseconds.
class IntervalLogWriter {
 public:
  /// Is given lines of the log, one or several whole ones at a time.
  using Out = std::function<void(std::string_view)>;

  /// Writes the head of the log.
  IntervalLogWriter(Out out, std::string_view comment, std::chrono::system_clock::time_point start);

  /// `start_seconds` counts from the start of the log. `tag` holds no comma, space or line break;
  /// an empty one is left out.
  void write(std::string_view tag, double start_seconds, double length_seconds,
             const Histogram& histogram);

 private:
  Out out_;
};

struct LoggedInterval {
  std::string tag;
  double start_seconds = 0;
  double length_seconds = 0;
  Histogram histogram;
};

struct IntervalLog {
  double start_seconds_since_epoch = 0;
  std::vector<LoggedInterval> intervals;
};

/// Reads such a log; an error names the line.
base::Result<IntervalLog> read_interval_log(std::istream& in);

}  // namespace hallmark::loadgen
