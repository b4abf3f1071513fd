#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "distributed/message.hpp"
#include "loadgen/histogram/second_log.hpp"

namespace hallmark::distributed {

/// So many ranks have a histogram each; of more, rank 0 gets quantiles only, and its memory does
/// not grow with their number.
inline constexpr std::uint64_t most_ranks_with_histograms = 8;

/// Keeps of a result what the tallies of its run do not say, and a summary of itself in `ranks`.
/// Removes latencies, seconds and what became of requests.
reports::LoadResult without_tallies(reports::LoadResult result);

/// The run of all ranks, put together from their seconds while it lasts: what a rank has told
/// stays, whatever becomes of it.
class GatheredRun {
 public:
  /// `names`: of the parts of the mix. `outputs` get the seconds of all ranks together. All of
  /// these outlive it. `start`: of the measured part.
  GatheredRun(const loadgen::LoadOptions& options, const std::vector<std::string>& names,
              const loadgen::LoadOutputs& outputs, std::uint32_t ranks,
              std::chrono::system_clock::time_point start);

  /// Errors, one line: the tally is not of this run.
  base::Result<void> add(std::uint32_t rank, const Second& second);
  /// A rank sends no more. Its requests in flight have failed.
  void lose(std::uint32_t rank);
  /// The ends of the requests that the rank has told of until now.
  reports::LoadCounts counts_of(std::uint32_t rank) const;
  /// The result of all. `finished`: what ranks told besides their seconds, `without_tallies`.
  /// Errors, one line: they are not of one run.
  base::Result<reports::LoadResult> finish(std::vector<reports::LoadResult> finished);

 private:
  void fill_in(std::chrono::nanoseconds duration, reports::LoadResult& result);

  const loadgen::LoadOptions& options_;
  std::chrono::system_clock::time_point start_;
  const std::vector<std::string>& names_;
  loadgen::TallyPool pool_;
  loadgen::SecondLog log_;
  std::vector<std::vector<reports::LoadCounts>> counts_;  ///< by rank and part
  std::uint64_t last_second_ = 0;
};

}  // namespace hallmark::distributed
