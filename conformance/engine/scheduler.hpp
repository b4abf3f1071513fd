#pragma once

#include "conformance/drivers/stream/player.hpp"

namespace hallmark::conformance {

struct Progress {
  std::size_t done = 0;
  std::size_t total = 0;
  std::size_t failed = 0;
};

struct ScheduleOptions {
  unsigned jobs = 2;
  bool slow = false;
  /// Checked before each unit; null: never stopped.
  const std::atomic<bool>* stop = nullptr;
  /// Called by one thread at a time.
  std::function<void(const Progress&)> on_progress{};
};

/// The results in the order of the suite.
struct ScheduleResult {
  std::vector<reports::CaseResult> cases;
  bool interrupted = false;
};

/// Plays all units: first those that share the target, several at a time but never two with a
/// resource in common; then the exclusive ones, each alone.
ScheduleResult play_suite(RunContext& context, const Suite& suite, const ScheduleOptions& options);

}  // namespace hallmark::conformance
