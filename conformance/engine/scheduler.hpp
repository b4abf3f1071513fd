#pragma once

#include <span>

#include "conformance/engine/case_play.hpp"

namespace hallmark::conformance {

struct Progress {
  std::size_t done = 0;
  std::size_t total = 0;
  std::size_t failed = 0;
};

struct ScheduleOptions {
  unsigned jobs = 2;
  /// Half as many once a case has not passed: of each case that runs when a target dies, it has to
  /// be found out alone whether it kills.
  bool fewer_once_failed = false;
  bool slow = false;
  /// Only what is documented and leaves others alone: for a target that others use.
  bool polite = false;
  /// Checked before each unit; null: never stopped.
  const std::atomic<bool>* stop = nullptr;
  /// Called by one thread at a time.
  std::function<void(const Progress&)> on_progress{};
  /// Called with the cases of a unit once they are judged, by one thread at a time. A case that is
  /// played once more is told again.
  std::function<void(std::span<const reports::CaseResult>)> on_judged{};
};

/// Plays the units of a transport, and knows what its silence means.
class UnitPlayer {
 public:
  UnitPlayer() = default;
  virtual ~UnitPlayer() = default;
  UnitPlayer(const UnitPlayer&) = delete;
  UnitPlayer& operator=(const UnitPlayer&) = delete;

  /// Has the clock of the run, and is told of its parts.
  virtual Seam& seam() = 0;
  /// Plays the cases of a unit in their order, each to a verdict. Never throws for what a target
  /// does. Called by several threads where several units may be played at a time.
  virtual std::vector<reports::CaseResult> play(const Unit& unit) = 0;
  /// Why no further case is played, such as "not played: the target hangs"; empty: they are.
  virtual std::string why_no_more() = 0;
  /// Returns true when the run is to end.
  virtual bool stopped() = 0;
  /// Returns true if nobody else uses the target.
  virtual bool exclusive() const = 0;
  /// The number of units that may be played at a time.
  virtual unsigned most_jobs() const { return 1; }
};

/// Returns true of a case that shows that something is wrong with the target.
bool casts_doubt(const reports::CaseResult& result);

/// How many cases are played at a time once one has cast doubt, of so many before.
constexpr unsigned fewer(unsigned jobs) { return (jobs + 1) / 2; }

/// The results in the order of the suite.
struct ScheduleResult {
  std::vector<reports::CaseResult> cases;
  bool interrupted = false;
};

/// Plays all units: first those that share the target, several at a time but never two with a
/// resource in common; then the exclusive ones, each alone.
ScheduleResult play_suite(UnitPlayer& player, const Suite& suite, const ScheduleOptions& options);

}  // namespace hallmark::conformance
