#pragma once
#include <cstdint>
#include <vector>

#include "base/error.hpp"
#include "loadgen/histogram/censored_histogram.hpp"
#include "reports/load_comparison.hpp"

namespace hallmark::loadgen {

/// A piece of time of a run.
struct Block {
  CensoredHistogram latency;    ///< of the requests that ended in it
  std::uint64_t completed = 0;  ///< while requests were planned
  double seconds = 0;
};

/// The seconds of a run, at most `most` blocks of them; whole seconds alone, where there are any.
/// Errors: a run that was saved without the histograms of its seconds.
base::Result<std::vector<Block>> blocks_of(const reports::LoadResult& run, std::size_t most = 60);

/// Differences of throughput and quantiles between two runs, or the runs of two targets, with
/// intervals by the bootstrap: blocks, which may depend on what happens within a second, are drawn
/// with replacement, a thousand times. `noise`: of two halves of the same target, by metric; may be
/// empty. A difference counts where its whole interval is beyond the noise, and where it is at
/// least `least_share` of the value before.
std::vector<reports::MetricDifference> differences(
    const std::vector<Block>& before, const std::vector<Block>& now, double least_share,
    const std::vector<reports::MetricDifference>& noise, std::uint64_t seed);

/// Two saved results. `before_name`: of the first, for people. Errors: as `blocks_of`.
base::Result<reports::LoadComparison> compare(const reports::LoadResult& before,
                                              const reports::LoadResult& now, double least_share);

}  // namespace hallmark::loadgen
