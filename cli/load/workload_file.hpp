#pragma once
#include <string>
#include <vector>

#include "base/error.hpp"

namespace hallmark::cli {

class Command;

/// Names of the workloads that are part of the program.
std::vector<std::string> names_of_shipped_workloads();
/// The same with commas between them.
std::string shipped_workloads();

/// Gives a command the options that a workload names, but for those it has been given already.
/// `workload`: the name of a shipped one, or a JSON file: an object of options without their
/// dashes, such as {"mix": "query=1", "keys": 1000, "stages": true}, and a "description". Errors:
/// one line.
base::Result<void> apply_workload(Command& command, const std::string& workload);

}  // namespace hallmark::cli
