#pragma once

#include <algorithm>
#include <array>
#include <atomic>

#include "conformance/drivers/stream/network.hpp"

namespace hallmark::conformance {

/// Decides how long a run waits for a target that says nothing. A wait ends after the deadline. The
/// waits of a run that ended that way share a budget, and as it shrinks so does the next wait. So a
/// run waits in vain for at most `budget` of a deadline, and for `floor` in each case after
/// that.
///
/// Deliveries have a budget of their own: a target that publishes nothing may answer everything
/// else, and needs time for it. The end of connections that may go on has one, too: half a
/// deadline. Bytes that come by then are judged; a connection that goes on is not. No wait is
/// shorter than three round trips to the target. The time to connect is taken for one: the target's
/// system accepts, however slow the server is. For use by several threads.
class Patience {
 public:
  enum class For : std::uint8_t { replies, deliveries, farewells };
  static constexpr std::array all{For::replies, For::deliveries, For::farewells};

  /// One wait to the end of the deadline, and others that are shorter and shorter.
  static constexpr Time budget(Time deadline) { return deadline + deadline / 2; }

  explicit Patience(Time deadline) : deadline_(deadline) {
    for (std::atomic<Time>& one : left_) one = budget(deadline);
    left(For::farewells) = deadline / 2;
  }

  Time deadline() const { return deadline_; }
  Time floor(For what = For::replies) const {
    return std::max(nearby_floor(what), std::min(round_trips * round_trip_.load(), deadline_ / 5));
  }

  /// Length of the next wait.
  Time allowance(For what = For::replies) const;

  /// A wait of that length ended without a byte. It costs what it had come to with the target at
  /// hand and the processor free: a budget is gone after equally many waits on every machine.
  void spend(Time waited, For what = For::replies);

  /// The target is known to be wrong as a whole: one deadline is enough for all further waits.
  void curtail();

  /// Connecting took so long, ns.
  void connected_in(Time took);

  /// No wait is shorter from now on. Returns the shortest until now, in ns.
  Time never_below(Time least) { return least_.exchange(least); }

  /// Returns true if only the floor of a target at hand is left of the budget for replies.
  bool exhausted() const { return left(For::replies).load() <= nearby_floor(For::replies); }

 private:
  /// The shortest wait for a target to which the way takes no time.
  Time nearby_floor(For what) const {
    if (what == For::farewells) return deadline_ / 1000;
    return std::max(deadline_ / 250, std::min(deadline_, least_.load()));
  }
  /// A wait may take so much of a budget of which `rest` is left.
  Time share_of(Time rest) const { return rest > deadline_ ? deadline_ : rest / 2; }

  std::atomic<Time>& left(For what) { return left_[static_cast<std::size_t>(what)]; }
  const std::atomic<Time>& left(For what) const { return left_[static_cast<std::size_t>(what)]; }

  static constexpr Time round_trips = 3;

  Time deadline_;
  std::atomic<Time> least_{0};
  std::atomic<Time> round_trip_{0};  ///< the shortest so far; 0: nothing is connected yet
  std::array<std::atomic<Time>, all.size()> left_{};
};

/// While it exists, waits are long enough for cases whose verdicts are to be sure.
class SureWaits {
 public:
  /// ns; a reply is waited for at least so long, and longer while the target is kept from the
  /// processor.
  static constexpr Time shortest = 50'000'000;

  explicit SureWaits(Patience& patience)
      : patience_(patience), before_(patience.never_below(shortest)) {}
  ~SureWaits() { patience_.never_below(before_); }
  SureWaits(const SureWaits&) = delete;
  SureWaits& operator=(const SureWaits&) = delete;

 private:
  Patience& patience_;
  Time before_;
};

}  // namespace hallmark::conformance
