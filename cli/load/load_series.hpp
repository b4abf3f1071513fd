#pragma once
#include <functional>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "loadgen/engine/run.hpp"
#include "reports/knee.hpp"
#include "reports/load_comparison.hpp"
#include "reports/slo.hpp"

/// Series of load runs that answer one question.
namespace hallmark::cli {

using RunOnce =
    std::function<base::Result<reports::LoadResult>(const loadgen::LoadOptions& options)>;

/// The highest rate at which the objectives hold, and 99 % of it is achieved without a request that
/// fails unless the objectives say otherwise; from that of the options upwards. `text`: the
/// objectives, for people. Errors: a run that could not be done.
base::Result<reports::Knee> search_knee(const loadgen::LoadOptions& options,
                                        const std::vector<reports::Objective>& objectives,
                                        const std::string& text, const RunOnce& run);

/// How many runs a comparison of so many rounds takes.
std::size_t runs_of(unsigned rounds);

/// The second target compared with the first: A A A A as the noise floor, then A B B A in rounds.
/// `least_share`: differences below it, of the value of the first, do not count. Errors: a run that
/// could not be done.
base::Result<reports::LoadComparison> compare_targets(const loadgen::LoadOptions& a,
                                                      const loadgen::LoadOptions& b,
                                                      unsigned rounds, double least_share,
                                                      const RunOnce& run);

}  // namespace hallmark::cli
