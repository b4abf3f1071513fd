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

  /// Returns true if one of them wants to run and all together have had less than half a second of
  /// processor time.
  bool starved() const;

  /// "spinning", "sleeping in futex_wait_queue", "sleeping".
  std::string in_words() const;

 private:
  struct Sample {
    std::uint64_t ticks = 0;  ///< user and system time of all of them
    bool runnable = false;    ///< one of their threads is
    std::string channel;      ///< the kernel function in which a thread waits; may be empty
  };
  static void add_threads(const std::string& process, Sample& all);
  Sample sample() const;
  double seconds_used(const Sample& now) const;
  double cores_since(const Sample& now) const;

  pid_t group_;
  unsigned generation_;
  std::chrono::steady_clock::time_point began_;
  Sample at_first_;
};

}  // namespace hallmark::conformance
