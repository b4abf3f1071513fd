#pragma once

#include <sys/types.h>

#include <chrono>
#include <mutex>
#include <string>
#include <vector>

#include "conformance/supervisor/process_figures.hpp"

namespace hallmark::conformance {

/// The processes of a group. Used by several threads.
class ProcessGroup {
 public:
  explicit ProcessGroup(pid_t group) : group_(group) {}

  /// Their figures, added up. Processes that have joined the group less than a second ago may be
  /// missing unless `how` is exact.
  ProcessFigures figures(Thoroughness how);

 private:
  /// "/proc/17" of each.
  std::vector<std::string> members(Thoroughness how);

  pid_t group_;
  std::mutex mutex_;
  std::vector<std::string> members_;
  std::chrono::steady_clock::time_point looked_{};
};

}  // namespace hallmark::conformance
