#pragma once

#include <string>

namespace hallmark::conformance {

/// Returns true if nothing but a signal or its own process wakes a thread: it waits without a
/// timeout for another thread, for a signal, or for descriptors that lead to nobody else. Returns
/// false where Linux does not tell that (proc(5), `syscall` and `fdinfo`). `thread`:
/// "/proc/17/task/18".
bool sleeps_for_good(const std::string& thread);

/// Returns true if a process has a socket, without which it serves nobody. `process`: "/proc/17".
bool has_socket(const std::string& process);

}  // namespace hallmark::conformance
