#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

/// Parts of what Linux tells of processes (proc(5)).
namespace hallmark::conformance {

/// Fields of /proc/PID/stat or /proc/PID/task/TID/stat.
struct ProcStat {
  char state = '?';
  std::uint64_t ticks = 0;  ///< user and system time; sysconf(_SC_CLK_TCK) a second
  std::uint64_t threads = 0;
};

/// The content of a file of /proc; empty if it cannot be read.
std::string read_proc(const std::string& path);

/// Empty if there is no such process or thread. `directory`: "/proc/17".
std::optional<ProcStat> proc_stat(const std::string& directory);

/// Returns how often a thread has waited for anything, which a spinning thread never does. Returns
/// 0 if there is no such thread. `directory`: "/proc/17/task/17".
std::uint64_t waits_of(const std::string& directory);

/// "/proc/17" of each process of the group.
std::vector<std::string> processes_of(pid_t group);

}  // namespace hallmark::conformance
