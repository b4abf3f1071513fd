#pragma once
#include <chrono>
#include <span>
#include <vector>

#include "reports/load/load_result.hpp"

namespace hallmark::loadgen {

/// When the measured part of a run began.
std::chrono::sys_time<std::chrono::milliseconds> begin_of(const reports::LoadResult& run);

/// The seconds of several runs. Those of runs that overlap in time are added; those of runs one
/// after the other follow each other, without the time between them.
std::vector<reports::SecondSample> merged_series(std::span<const reports::LoadResult> runs);

}  // namespace hallmark::loadgen
