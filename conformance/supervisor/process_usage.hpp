#pragma once

#include <map>
#include <mutex>
#include <optional>

#include "conformance/supervisor/process_figures.hpp"
#include "reports/result.hpp"

namespace hallmark::conformance {

/// Sums up the CPU time of the processes of a run, in whatever order it is told of them. Used by
/// several threads.
class ProcessUsage {
 public:
  /// Figures of no process count for nothing.
  void add(const ProcessFigures& figures);

  /// The figures of the process that runs now, with the CPU time of all. Empty if none runs.
  std::optional<reports::ProcessUse> total(const ProcessFigures& now) const;

 private:
  mutable std::mutex mutex_;
  std::map<unsigned, std::uint64_t> cpu_;  ///< by process, ns
};

/// The last figures of the process, with the CPU time between the two. Empty if they are not of the
/// same process.
std::optional<reports::ProcessUse> use_between(const ProcessFigures& begun,
                                               const ProcessFigures& ended);

}  // namespace hallmark::conformance
