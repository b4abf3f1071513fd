#pragma once

#include <sys/types.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "conformance/supervisor/proc_stat.hpp"

namespace hallmark::conformance {

/// Tells which threads of a process spin: those that had half a second of processor time without
/// once waiting for anything. Whoever waits for one waits in vain, however little time it gets. If
/// the target is known to have such threads, a fifth of that time is enough: a fresh process has to
/// show it anew. One for all watches of a process; for use by several threads.
class SpinningThreads {
 public:
  /// `before`: those of the target's process before this one; null: there was none.
  explicit SpinningThreads(const SpinningThreads* before = nullptr)
      : expected_(before != nullptr && before->known()),
        polls_(before != nullptr && before->polls_.load()) {}

  /// Takes note of what a thread has done by now. Returns true if it spins.
  bool note(const std::string& thread, const ProcStat& stat, std::uint64_t waits);

  /// The target has answered since its threads were noted. Those that go on without waiting poll,
  /// and keep nobody from answering.
  void answered();

  /// Returns true if a thread has spun for so long, a quarter of a second, that the target answers
  /// nobody, and spinning has not been seen to mean nothing.
  bool keeps_from_answering(const std::string& thread, const ProcStat& stat);

  /// The target is known to have such threads.
  bool known() const { return expected_ || found_; }

 private:
  struct Stretch {
    std::uint64_t waits;
    std::uint64_t ticks;  ///< when it was first seen to have waited so often
    bool answered = false;
  };
  bool expected_;
  std::atomic<bool> polls_;  ///< some thread of the target does
  std::atomic<bool> found_{false};
  std::mutex mutex_;
  std::map<std::string, Stretch> stretches_;
};

/// Watches what the processes of a group do from a moment on, as Linux tells it (proc(5)).
class ProcessWatch {
 public:
  /// `generation`: the number of the supervisor's process that leads the group.
  ProcessWatch(pid_t group, unsigned generation, std::shared_ptr<SpinningThreads> spinning);

  unsigned generation() const { return generation_; }

  /// Returns true if a thread of theirs wants to run, has had less than half a second of processor
  /// time and does not spin.
  bool starved() const;

  /// Returns true if a thread of theirs spins and keeps the target from answering, or if all of
  /// them have slept for a while and nothing but a signal will wake them.
  bool stuck() const;

  /// "spinning", "sleeping in futex_wait_queue", "sleeping".
  std::string in_words() const;

 private:
  struct Thread {
    ProcStat stat;
    std::uint64_t waits = 0;  ///< times that it has waited so far
    bool spins = false;
  };
  struct Sample {
    std::uint64_t ticks = 0;  ///< user and system time of all of them
    std::map<std::string, Thread> threads;
    std::string channel;  ///< the kernel function in which a thread waits; may be empty
    bool runnable() const;
  };
  void add_threads(const std::string& process, Sample& all) const;
  Sample sample() const;
  double cores_since(const Sample& now) const;
  bool spins(const Sample& now) const;
  bool sleeps_for_good(const Sample& now) const;

  pid_t group_;
  unsigned generation_;
  std::shared_ptr<SpinningThreads> spinning_;
  std::chrono::steady_clock::time_point began_;
  Sample at_first_;
};

}  // namespace hallmark::conformance
