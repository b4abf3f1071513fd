#pragma once
#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>

#include "base/waker.hpp"
#include "loadgen/arrivals/departures.hpp"
#include "loadgen/engine/driver.hpp"
#include "loadgen/engine/poller.hpp"
#include "loadgen/results/tally_pool.hpp"

namespace hallmark::loadgen {

/// State that all loops of a run share. Times are nanoseconds from `origin`.
struct LoopPlan {
  TallyPool* tallies = nullptr;
  std::chrono::steady_clock::time_point origin;
  SchedulePlan schedule;  ///< of the open loop; its duration includes the warm-up
  bool open_loop = true;
  bool spinning = false;    ///< loops look at their descriptors all the time
  std::uint32_t loops = 1;  ///< of all processes of the run
  bool crowded = false;     ///< they may leave a target on this machine no processor of its own
  std::int64_t warmup_ns = 0;
  std::int64_t end_ns = 0;
};

/// A loop tells this while it runs, on its own thread.
struct LoopEvents {
  /// All that was counted since the last call; `second` counts from the end of the warm-up, which
  /// itself is second -1. The `last` one covers what is left, which may be more or less than a
  /// second.
  std::function<void(std::int64_t second, std::unique_ptr<Tally>, bool last)> report;
  /// The last report has been made. `end_ns` is when the planning ended.
  std::function<void(std::int64_t end_ns)> done;
};

/// One thread of a run: it plans requests when they are due, sleeps until something is ready, and
/// reports once a second. It drives the connections c with c mod loops = number.
class alignas(64) EventLoop {  // threads do not share a cache line
 public:
  EventLoop(const LoopPlan& plan, std::uint32_t number, LoopEvents events);

  /// The body of the thread: returns once everything planned has ended.
  void run(LoopDriver& driver);

  /// Plans nothing more; what is in flight is still waited for. Any thread may call it.
  void stop() noexcept { stop_at(Stop::planning); }
  /// Waits for nothing more, either. Any thread may call it.
  void abandon() noexcept { stop_at(Stop::waiting); }
  /// Calls the driver. Any thread may call it.
  void wake() noexcept { waker_.wake(); }

  const LoopPlan& plan() const noexcept { return plan_; }
  std::uint32_t number() const noexcept { return number_; }
  std::int64_t now() {
    return latest_ns_ =
               (std::chrono::steady_clock::now() - plan_.origin) / std::chrono::nanoseconds(1);
  }
  /// The origin on the steady clock.
  std::int64_t origin_ns() const {
    return std::chrono::nanoseconds(plan_.origin.time_since_epoch()).count();
  }
  /// The counts since the last report.
  Tally& tally() noexcept { return *tally_; }
  /// When requests of an open loop left; null of a closed one.
  DepartureLog* departures() noexcept { return departures_ ? &*departures_ : nullptr; }
  Poller& poller() noexcept { return poller_; }
  bool stopped() const noexcept { return stopped_at_ns_ >= 0; }
  /// Returns true if what a closed loop sends now counts: the warm-up is over.
  bool counting() const noexcept { return second_ >= 0; }
  /// True if more is going to be planned.
  bool planning(std::int64_t now_ns) const {
    if (stopped()) return false;
    return plan_.open_loop ? schedule_.next().has_value() : now_ns < plan_.end_ns;
  }

 private:
  enum class Stop { never, planning, waiting };

  void stop_at(Stop stop) noexcept;
  bool finished(LoopDriver& driver, std::int64_t now_ns);
  std::int64_t plans_end_ns() const;
  void plan_due(LoopDriver& driver, std::int64_t now_ns);
  void handle(LoopDriver& driver, const epoll_event& event);
  double share() const;
  void take_tally();
  void report(std::int64_t unobserved_since_ns, bool last);
  std::int64_t wait_ns(const LoopDriver& driver, std::int64_t now_ns) const;

  LoopPlan plan_;
  std::uint32_t number_;
  LoopEvents events_;
  Schedule schedule_;
  std::optional<DepartureLog> departures_;
  std::int64_t awake_before_ns_;  ///< a request is due
  Poller poller_;
  base::Waker waker_;
  std::unique_ptr<Tally> tally_;
  std::int64_t second_;
  std::int64_t next_report_ns_;
  std::int64_t stopped_at_ns_ = -1;
  std::int64_t latest_ns_ = 0;  ///< the time as it was last told
  std::atomic<Stop> stop_{Stop::never};
};

}  // namespace hallmark::loadgen
