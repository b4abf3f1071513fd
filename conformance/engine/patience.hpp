#pragma once

#include <algorithm>
#include <array>
#include <atomic>

#include "conformance/drivers/stream/network.hpp"

namespace hallmark::conformance {

/// How long a run waits for a target that says nothing. A wait ends after the deadline; the waits
/// of a run that ended that way share a budget, and as it shrinks so does the next wait. So a run
/// waits in vain for at most `budget_deadlines` deadlines, and `floor` for each case after that.
/// Deliveries have a budget of their own: a target that publishes nothing may answer all else, and
/// is to have time for it. So has the end of connections that may go on: one deadline. What comes
/// by then is judged, and not that nothing ends. No wait is shorter than three round trips to the
/// target. Connecting takes one: its system accepts, however slow the server is. For use by several
/// threads.
class Patience {
 public:
  enum class For : std::uint8_t { replies, deliveries, farewells };
  static constexpr std::array all{For::replies, For::deliveries, For::farewells};

  static constexpr std::uint64_t budget_deadlines = 2;

  explicit Patience(Time deadline) : deadline_(deadline) {
    for (std::atomic<Time>& one : left_) one = deadline * budget_deadlines;
    left(For::farewells) = deadline;
  }

  Time deadline() const { return deadline_; }
  Time floor(For what = For::replies) const {
    const Time distance = std::min(round_trips * round_trip_.load(), deadline_ / 5);
    if (what == For::farewells) return std::max(deadline_ / 1000, distance);
    return std::max({deadline_ / 250, std::min(deadline_, least_.load()), distance});
  }

  /// Length of the next wait.
  Time allowance(For what = For::replies) const;

  /// A wait of that length ended without a byte.
  void spend(Time waited, For what = For::replies);

  /// The target is known to be wrong as a whole: one deadline is enough for all further waits.
  void curtail();

  /// Connecting took so long, ns.
  void connected_in(Time took);

  /// From now on no wait is shorter: for cases whose verdicts are to be sure.
  void never_below(Time least) { least_ = least; }

  /// Nothing is left but the floor, of the waits for replies.
  bool exhausted() const { return left(For::replies).load() <= floor(); }

 private:
  std::atomic<Time>& left(For what) { return left_[static_cast<std::size_t>(what)]; }
  const std::atomic<Time>& left(For what) const { return left_[static_cast<std::size_t>(what)]; }

  static constexpr Time round_trips = 3;

  Time deadline_;
  std::atomic<Time> least_{0};
  std::atomic<Time> round_trip_{0};  ///< the shortest so far; 0: nothing is connected yet
  std::array<std::atomic<Time>, all.size()> left_{};
};

}  // namespace hallmark::conformance
