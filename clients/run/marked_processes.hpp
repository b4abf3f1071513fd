#pragma once

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

/// Processes whose environment has a mark, a NAME=VALUE. Those of other users, and those that have
/// emptied their environment, are not found.
namespace hallmark::clients {

/// Ends all of them, with what they start meanwhile. Returns their names, sorted.
std::vector<std::string> end_marked_processes(std::string_view mark);

/// The time that all marked processes have had of processors, and waited for them, since they were
/// started. Source: /proc/PID/task/TID/schedstat; 0 where the system does not tell.
struct ProcessorUse {
  std::chrono::nanoseconds used{0};
  /// Time for which threads could have run but had no processor: of waits that have ended.
  std::chrono::nanoseconds waited{0};
  /// A thread has a processor or waits for one, or a process changes into another program.
  bool is_runnable = false;
};

ProcessorUse processor_use(std::string_view mark);

}  // namespace hallmark::clients
