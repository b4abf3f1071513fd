#pragma once
#include <string>
#include <vector>

#include "reports/load/latency.hpp"
#include "reports/terminal.hpp"

namespace hallmark::reports {

/// The variation of a metric between runs of the same load.
struct MetricSpread {
  std::string metric;        ///< "throughput", requests per second; "p50", "p90", … in ns
  std::vector<Mean> runs;    ///< of each run
  double low = 0, high = 0;  ///< interval of 95 % of the mean; both 0 where a run is a lower bound
  bool operator==(const MetricSpread&) const = default;
};

/// The value of a metric for people: a time, or requests per second.
std::string metric_text(const std::string& metric, double value);

/// A table of them; empty where there are none.
std::string render_terminal(const std::vector<MetricSpread>& spread, const TerminalStyle& style);

}  // namespace hallmark::reports
