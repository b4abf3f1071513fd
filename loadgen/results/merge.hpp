#pragma once
#include <span>

#include "base/error.hpp"
#include "reports/load_result.hpp"

namespace hallmark::loadgen {

/// The results of several runs as those of one: counts and histograms are added, without loss.
/// Runs at the same time, as those of several machines are, add up their rates; runs one after the
/// other their durations. What is about one run alone, such as its objectives, is left out.
/// Errors, one line: nothing to merge; runs of another dialect or loop, or not over streams; counts
/// that do not add up; a histogram that cannot be read.
base::Result<reports::LoadResult> merge(std::span<const reports::LoadResult> runs);

}  // namespace hallmark::loadgen
