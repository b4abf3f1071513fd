#pragma once
#include <array>
#include <span>
#include <vector>

#include "reports/load/load_result.hpp"

namespace hallmark::loadgen {

/// A figure by which runs are compared.
struct RunMetric {
  const char* name;
  double quantile;  ///< of the latency, 0 to 1; below 0: the throughput
  bool is_throughput() const { return quantile < 0; }
};
inline constexpr std::array run_metrics{RunMetric{"throughput", -1}, RunMetric{"p50", 0.5},
                                        RunMetric{"p90", 0.9}, RunMetric{"p99", 0.99},
                                        RunMetric{"p99.9", 0.999}};

/// The spread of each of `run_metrics` between runs of the same.
std::vector<reports::MetricSpread> spread_of(std::span<const reports::LoadResult> runs);

/// Half of the interval of a difference between two means, by Welch's t-test with `tail` on either
/// side. 0 where either side has fewer than two values: nothing is known of their spread.
double welch_half_interval(std::span<const reports::Mean> a, std::span<const reports::Mean> b,
                           double tail);

}  // namespace hallmark::loadgen
