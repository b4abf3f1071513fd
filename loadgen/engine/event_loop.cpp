#include "loadgen/engine/event_loop.hpp"

#include <algorithm>

#include "base/nanoseconds.hpp"
#include "loadgen/client/process.hpp"
#include "loadgen/engine/pacing.hpp"

namespace hallmark::loadgen {
namespace {

constexpr std::uint32_t waker_token = UINT32_MAX;

}  // namespace

EventLoop::EventLoop(const LoopPlan& plan, std::uint32_t number, LoopEvents events)
    : plan_(plan),
      number_(number),
      events_(std::move(events)),
      schedule_(plan.schedule, number, plan.loops),
      awake_before_ns_(plan.open_loop ? awake_before_ns(plan.schedule, plan.loops) : 0),
      second_(plan.warmup_ns > 0 ? -1 : 0),
      next_report_ns_(plan.warmup_ns + (plan.warmup_ns > 0 ? 0 : base::second_ns)) {
  if (plan_.open_loop) departures_.emplace(plan_.schedule, share());
  take_tally();
  if (next_report_ns_ >= plan_.end_ns) next_report_ns_ = INT64_MAX;
  poller_.add(waker_.fd(), waker_token);
}

/// This loop's share of the connections, and so of the rate. A loop that has none is asked for
/// nothing.
double EventLoop::share() const {
  const std::uint32_t all = plan_.schedule.connections;
  const std::uint32_t own = number_ < all ? (all - number_ + plan_.loops - 1) / plan_.loops : 1;
  return static_cast<double>(own) / all;
}

void EventLoop::run(LoopDriver& driver) {
  if (plan_.open_loop) {
    be_punctual();
  } else if (plan_.crowded) {
    be_patient();
  }
  for (std::int64_t now_ns = now(); !finished(driver, now_ns);) {
    while (now_ns >= next_report_ns_) {
      report(std::min(now_ns, driver.unobserved_since()), false);
      take_tally();
      next_report_ns_ += base::second_ns;
      if (next_report_ns_ >= plan_.end_ns) next_report_ns_ = INT64_MAX;
    }
    driver.advance(now_ns);
    if (plan_.open_loop) plan_due(driver, now_ns);
    driver.flush();
    // Sending takes time that an open loop must not wait in addition. A closed loop waits for
    // replies and ticks, which nobody measures.
    const std::int64_t from_ns = plan_.open_loop ? now() : now_ns;
    const std::int64_t told_ns = latest_ns_;
    for (const epoll_event& event : poller_.wait(wait_ns(driver, from_ns))) handle(driver, event);
    // A closed loop that has just read replies goes by the time of that.
    now_ns = !plan_.open_loop && latest_ns_ != told_ns ? latest_ns_ : now();
  }
  driver.end();
  report(INT64_MAX, true);
  events_.done(plans_end_ns());
}

void EventLoop::stop_at(Stop stop) noexcept {
  stop_.store(stop, std::memory_order_relaxed);
  waker_.wake();
}

bool EventLoop::finished(LoopDriver& driver, std::int64_t now_ns) {
  const Stop stop = stop_.load(std::memory_order_relaxed);
  if (stop != Stop::never && !stopped()) {
    stopped_at_ns_ = now_ns;
    tally_->plan_until(plans_end_ns());
  }
  if (stop == Stop::waiting) return true;
  if (planning(now_ns)) return false;
  const std::int64_t last_ns = plans_end_ns();
  return now_ns >= last_ns && !driver.waits(now_ns, last_ns);
}

/// The end of planning; replies are waited for longer.
std::int64_t EventLoop::plans_end_ns() const {
  return stopped() ? std::min(stopped_at_ns_, plan_.end_ns) : plan_.end_ns;
}

void EventLoop::plan_due(LoopDriver& driver, std::int64_t now_ns) {
  if (stopped()) return;
  for (int left = driver.planned_at_once(); left > 0; --left) {
    const auto due = schedule_.take_due(now_ns);
    if (!due) return;
    driver.plan(*due, now_ns);
  }
}

void EventLoop::handle(LoopDriver& driver, const epoll_event& event) {
  if (event.data.u32 != waker_token) [[likely]]
    return driver.ready(event);
  waker_.clear();
  driver.woken();
}

void EventLoop::take_tally() {
  tally_ = plan_.tallies->take();
  tally_->plan_until(plans_end_ns());
}

// The warm-up's tally holds nothing that counts: a request counts if it is planned after the
// warm-up.
void EventLoop::report(std::int64_t unobserved_since_ns, bool last) {
  tally_->unobserved_since_ns = unobserved_since_ns;
  events_.report(second_++, std::move(tally_), last);
}

std::int64_t EventLoop::wait_ns(const LoopDriver& driver, std::int64_t now_ns) const {
  if (plan_.spinning) return 0;
  std::int64_t until = std::min(driver.next_advance_ns(now_ns), next_report_ns_);
  if (plan_.open_loop && !stopped() && schedule_.next())
    until = std::min(until, schedule_.next()->at_ns - awake_before_ns_);
  if (now_ns < plan_.end_ns) until = std::min(until, plan_.end_ns);
  return std::max<std::int64_t>(0, until - now_ns);
}

}  // namespace hallmark::loadgen
