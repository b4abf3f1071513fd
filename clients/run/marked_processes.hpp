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

/// The total time for which threads of all marked processes could have run but had no processor,
/// since they were started. Source: /proc/PID/task/TID/schedstat; 0 where the system does not tell.
std::chrono::nanoseconds waits_for_processor(std::string_view mark);

}  // namespace hallmark::clients
