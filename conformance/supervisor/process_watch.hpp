#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <string>

namespace hallmark::conformance {

/// What the processes of a group do from a moment on, as Linux tells it (proc(5)).
class ProcessWatch {
 public:
  /// `generation`: which of the supervisor's processes leads the group.
  ProcessWatch(pid_t group, unsigned generation);

  unsigned generation() const { return generation_; }

  /// Returns true if one of them wants to run and all together got less than a tenth of a core.
  bool starved() const;

  /// "spinning, with 0.98 of a core", "sleeping in futex_wait_queue", "sleeping".
  std::string in_words() const;

 private:
  struct Sample {
    std::uint64_t ticks = 0;  ///< user and system time of all of them
    bool runnable = false;
    std::string channel;  ///< the kernel function in which the leader waits; may be empty
  };
  Sample sample() const;
  double cores_since(const Sample& now) const;

  pid_t group_;
  unsigned generation_;
  std::chrono::steady_clock::time_point began_;
  Sample at_first_;
};

}  // namespace hallmark::conformance
