#pragma once
#include <sys/types.h>

#include "base/child_process.hpp"

namespace hallmark::base {

/// Starts a process as `ChildProcess::start` says; the caller reaps it. Error: one line.
Result<pid_t> spawn(const std::vector<std::string>& command, const ChildOptions& options);

}  // namespace hallmark::base
