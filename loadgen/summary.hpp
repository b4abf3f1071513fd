#pragma once
#include "loadgen/requests.hpp"
#include "loadgen/tally.hpp"
#include "reports/load_result.hpp"

namespace hallmark::loadgen {

/// The distribution as a report shows and keeps it.
reports::Latency latency_of(const Histogram& histogram);

/// Counts, latencies and errors of a run into `result`. In a closed loop nothing was planned, so
/// the corrected latencies are the uncorrected ones.
void summarise(const Tally& tally, const Requests& requests, reports::LoadResult& result);

/// One second of a run.
reports::SecondSample sample_of(const Tally& tally, std::uint64_t second, bool open_loop);

}  // namespace hallmark::loadgen
