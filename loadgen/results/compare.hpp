#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "base/error.hpp"
#include "loadgen/histogram/censored_histogram.hpp"
#include "reports/load/knee.hpp"
#include "reports/load/load_comparison.hpp"

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

/// A view of one of two targets that are compared.
struct ComparedSide {
  // NOLINTNEXTLINE(google-explicit-constructor): the blocks of one run are a side
  ComparedSide(const std::vector<Block>& pieces,
               std::vector<reports::MetricSpread> between_runs = {})
      : blocks(pieces), spread(std::move(between_runs)) {}

  std::span<const Block> blocks;  ///< of all its runs
  /// Between its runs. What the client could explain of one it could explain of the side.
  std::vector<reports::MetricSpread> spread;
};

/// Differences of throughput and quantiles between two runs, or the runs of two targets, with
/// intervals by the bootstrap: blocks, which may depend on what happens within a second, are drawn
/// with replacement, a thousand times. Where both sides have several runs the interval is at least
/// that of Welch's t-test over the runs: runs vary more than their seconds do. It is open to a side
/// where requests without a reply hide how far it reaches. `noise`: of two halves of the same
/// target, by metric; may be empty. A difference counts where its whole interval is beyond the
/// noise, and where it is at least `least_share` of the value before.
std::vector<reports::MetricDifference> differences(
    const ComparedSide& before, const ComparedSide& now, double least_share,
    const std::vector<reports::MetricDifference>& noise, std::uint64_t seed);

/// The capacities that two searches found. It is worse or better where the intervals are apart, by
/// `least_share` of the capacity before.
reports::LoadComparison compare(const reports::Knee& before, const reports::Knee& now,
                                double least_share);

/// Two saved results. Errors: as `blocks_of`.
base::Result<reports::LoadComparison> compare(const reports::LoadResult& before,
                                              const reports::LoadResult& now, double least_share);

}  // namespace hallmark::loadgen
