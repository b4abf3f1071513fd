#pragma once
#include <functional>

#include "base/error.hpp"
#include "loadgen/engine/run.hpp"
#include "reports/load/load_comparison.hpp"

/// Series of load runs that answer one question.
namespace hallmark::cli {

using RunOnce =
    std::function<base::Result<reports::LoadResult>(const loadgen::LoadOptions& options)>;

/// The number of runs that a comparison with so many rounds takes.
std::size_t runs_of(unsigned rounds);

/// The second target compared with the first: A A A A as the noise floor, then A B B A in rounds.
/// `least_share`: differences below it, of the value of the first, do not count. Errors: a run that
/// could not be done.
base::Result<reports::LoadComparison> compare_targets(const loadgen::LoadOptions& a,
                                                      const loadgen::LoadOptions& b,
                                                      unsigned rounds, double least_share,
                                                      const RunOnce& run);

/// Runs of the same, one after the other, as one result with the spread between them. A run that is
/// interrupted or aborted is the last. Errors: a run that could not be done.
base::Result<reports::LoadResult> repeat(const loadgen::LoadOptions& options, unsigned times,
                                         const RunOnce& run);

}  // namespace hallmark::cli
