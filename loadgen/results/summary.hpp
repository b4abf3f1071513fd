#pragma once
#include <span>
#include <string>

#include "base/error.hpp"
#include "loadgen/drivers/stream/requests.hpp"
#include "loadgen/results/tally.hpp"
#include "reports/load/load_result.hpp"

namespace hallmark::loadgen {

/// The distribution as a report shows and keeps it.
reports::Latency latency_of(const Histogram& histogram);
reports::Latency latency_of(const CensoredHistogram& histogram);

/// The form in which a result keeps the latencies of single operations.
enum class OfOperations { quantiles, histograms };

/// Counts, latencies and errors of a run into `result`. `names`: of the parts of the mix.
void summarise(const Tally& tally, std::span<const std::string> names, reports::LoadResult& result,
               OfOperations of_operations = OfOperations::histograms);

/// The slowest requests of a run, in words.
std::vector<reports::SlowRequestFacts> slowest_of(const Tally& tally, const Requests& requests);

/// The latencies of the stages. Precondition: the tally kept stages.
reports::StageLatencies stages_of(const StageTimes& stages);

/// The deliveries of publications. `requests`: one of its parts may be called `publish`.
reports::FanOut fan_out_of(const Tally& tally, const Requests& requests, std::uint32_t subscribers);

/// Two samples of a run, one behind the other, as one: exact, by their histograms.
reports::SecondSample together(const reports::SecondSample& first,
                               const reports::SecondSample& second);

/// Samples of two runs at the same time as one: exact, by their histograms. Its second is that of
/// the first.
reports::SecondSample side_by_side(const reports::SecondSample& first,
                                   const reports::SecondSample& second);

/// One second of a run, `length_s` long.
reports::SecondSample sample_of(const Tally& tally, std::uint64_t second, double length_s);

/// The latencies of a sample, of all operations. Errors: a histogram that is not one.
base::Result<CensoredHistogram> latency_of(const reports::SecondSample& sample);

}  // namespace hallmark::loadgen
