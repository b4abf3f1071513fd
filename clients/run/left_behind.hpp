#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace hallmark::clients {

/// Ends every process whose environment has `mark`, a NAME=VALUE, with all that they start
/// meanwhile. Returns their names, sorted. Those of other users, and those that have emptied their
/// environment, are not found.
std::vector<std::string> end_marked_processes(std::string_view mark);

}  // namespace hallmark::clients
