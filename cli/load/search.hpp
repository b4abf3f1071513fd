#pragma once
#include <functional>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "cli/load/load_series.hpp"
#include "reports/load/knee.hpp"
#include "reports/load/slo.hpp"

namespace hallmark::cli {

/// The object of a search.
struct SearchGoal {
  std::vector<reports::Objective> objectives = {};
  std::string text = {};                        ///< the objectives, as they were typed
  std::chrono::nanoseconds confirm_duration{};  ///< of the run at the rate that was found; 0: none
};

/// Searches the highest rate at which the objectives hold, and 99 % of it is achieved without a
/// request that fails unless the objectives say otherwise; from that of the options upwards. `tell`
/// is given a line about each run. Errors: a run that could not be done.
base::Result<reports::Knee> search_knee(const loadgen::LoadOptions& options, const SearchGoal& goal,
                                        const RunOnce& run,
                                        const std::function<void(const std::string&)>& tell);

}  // namespace hallmark::cli
