#pragma once
#include <optional>
#include <string>
#include <vector>

#include "reports/load/load_result.hpp"
#include "reports/terminal.hpp"

namespace hallmark::reports {

enum class Difference { same, better, worse, unknown };

std::string_view name_of(Difference difference);  ///< "same", "better", "worse", "unknown"

/// The difference of a metric between two targets.
struct MetricDifference {
  std::string metric;  ///< "p50", "p99", …, in ns; "throughput", "capacity", in requests per second
  Mean before = 0, now = 0;
  double low = 0, high = 0;  ///< of now - before: interval of 99 %
  double noise = 0;          ///< so far apart were two halves of the same: no smaller one counts
  Difference difference = Difference::unknown;
  bool low_open = false;   ///< it is below `low`: requests without a reply hide how far
  bool high_open = false;  ///< … above `high`
  bool operator==(const MetricDifference&) const = default;
};

/// Two loads, compared.
struct LoadComparison {
  std::string before;                               ///< what is compared with …
  std::string now;                                  ///< … and what it is
  std::uint64_t blocks_before = 0, blocks_now = 0;  ///< pieces of time that were drawn from
  std::vector<MetricDifference> metrics;
  std::string inconclusive;  ///< one line: why nothing can be said; else empty
  bool operator==(const LoadComparison&) const = default;
};

/// 1 where something is worse, 4 where nothing can be said.
ExitCode exit_code(const LoadComparison& comparison);

std::string render_terminal(const LoadComparison& comparison, const TerminalStyle& style);

}  // namespace hallmark::reports
