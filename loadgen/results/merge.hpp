#pragma once
#include <span>
#include <string>

#include "base/error.hpp"
#include "reports/load/load_result.hpp"

namespace hallmark::loadgen {

/// The results of several runs as those of one: counts and histograms are added, without loss.
/// Runs at the same time, as the shares of a run are, add up their rates and seconds; runs one
/// after the other their durations. Objectives, the same of all, are judged on the sum; where a
/// share is missing it is inconclusive. `names`: of each result, for errors. Errors, one line:
/// nothing to merge; results that do not belong together (merge_refusal.hpp); counts that do not
/// add up; a histogram that cannot be read.
base::Result<reports::LoadResult> merge(std::span<const reports::LoadResult> runs,
                                        std::span<const std::string> names);

}  // namespace hallmark::loadgen
