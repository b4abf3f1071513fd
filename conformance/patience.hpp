#pragma once

#include <atomic>

#include "conformance/network.hpp"

namespace hallmark::conformance {

/// How long a run waits for a target that says nothing. A wait ends after the deadline; the waits
/// of a run that ended that way share a budget, and as it shrinks so does the next wait. So a run
/// waits in vain for at most `budget_deadlines` deadlines, and `floor` for each case after that.
/// For use by several threads.
class Patience {
 public:
  static constexpr std::uint64_t budget_deadlines = 4;

  explicit Patience(Time deadline) : deadline_(deadline), left_(deadline * budget_deadlines) {}

  Time deadline() const { return deadline_; }
  Time floor() const { return deadline_ / 250; }

  /// Length of the next wait.
  Time allowance() const;

  /// A wait of that length ended without a byte.
  void spend(Time waited);

  /// The target is known to be wrong as a whole: one deadline is enough for all further waits.
  void curtail();

  /// Nothing is left but the floor.
  bool exhausted() const { return left_.load() <= floor(); }

 private:
  Time deadline_;
  std::atomic<Time> left_;
};

}  // namespace hallmark::conformance
