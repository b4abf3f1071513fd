#pragma once
#include <span>
#include <string>

#include "loadgen/tally.hpp"
#include "reports/load_result.hpp"

namespace hallmark::loadgen {

/// The distribution as a report shows and keeps it.
reports::Latency latency_of(const Histogram& histogram);

/// The same where more requests were not answered in time: a quantile is known only as long as the
/// answered ones alone decide it.
reports::Latency latency_of(const Histogram& histogram, const Unanswered& lost);

/// Counts, latencies and errors of a run into `result`. In a closed loop nothing was planned, so
/// the corrected latencies are the uncorrected ones. `names`: of the parts of the mix.
void summarise(const Tally& tally, std::span<const std::string> names, reports::LoadResult& result);

/// One second of a run.
reports::SecondSample sample_of(const Tally& tally, std::uint64_t second, bool open_loop);

}  // namespace hallmark::loadgen
