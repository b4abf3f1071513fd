#pragma once
#include <cstdint>
#include <optional>

namespace hallmark::loadgen {

/// The time that the system gave a thread, nanoseconds.
struct ThreadUse {
  std::int64_t lived_ns = 0;
  std::int64_t cpu_ns = 0;     ///< it ran
  std::int64_t waited_ns = 0;  ///< it could have run, and something else did; 0 where not told
};

/// The use of the calling thread since it was started. Source: CLOCK_THREAD_CPUTIME_ID and
/// /proc/thread-self/schedstat. `lived_ns` stays 0.
ThreadUse use_of_this_thread();

/// The processor time that was taken from this machine or from this process since the system was
/// started.
struct MachineUse {
  double stolen_s = 0;     ///< by the host of this machine, all processors together
  double throttled_s = 0;  ///< the quota of this process' cgroup was used up (cgroup v2)
};

/// Source: /proc/stat, and cpu.stat of the cgroup in /proc/self/cgroup. What is not told is 0.
MachineUse machine_use();

/// Processors that this process may use.
unsigned processors();

}  // namespace hallmark::loadgen
