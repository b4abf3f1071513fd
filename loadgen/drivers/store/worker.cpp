#include "loadgen/drivers/store/worker.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/nanoseconds.hpp"
#include "loadgen/client/process.hpp"

namespace hallmark::loadgen::store {
namespace {

constexpr std::int64_t reconnect_pause_ns = 100'000'000;
/// The longest that anything waits for: what a lane has to tell must not wait longer to be judged.
constexpr std::int64_t tick_ns = 50'000'000;

std::uint64_t duration(std::int64_t from_ns, std::int64_t to_ns) {
  return static_cast<std::uint64_t>(std::max<std::int64_t>(0, to_ns - from_ns));
}

}  // namespace

void add(reports::StoreCounts& sum, const reports::StoreCounts& more) {
  sum.allowed += more.allowed;
  sum.denied += more.denied;
  sum.conflicts += more.conflicts;
  sum.retries += more.retries;
  sum.gave_up += more.gave_up;
}

Worker::Worker(const WorkerPlan& plan, std::uint32_t number,
               std::unique_ptr<stores::Connection> connection, AdmissionLane& lane,
               WorkerEvents events)
    : plan_(plan),
      number_(number),
      connection_(std::move(connection)),
      lane_(lane),
      events_(std::move(events)),
      schedule_(plan.schedule, number, plan.workers),
      next_index_(number),
      second_(plan.warmup_ns > 0 ? -1 : 0),
      next_report_ns_(plan.warmup_ns + (plan.warmup_ns > 0 ? 0 : base::second_ns)) {
  take_tally();
  if (next_report_ns_ >= plan_.end_ns) next_report_ns_ = INT64_MAX;
  poller_.add(waker_.fd(), 0);
}

std::int64_t Worker::now() const {
  return (std::chrono::steady_clock::now() - plan_.origin) / std::chrono::nanoseconds(1);
}

void Worker::stop() noexcept {
  stopped_.store(true, std::memory_order_relaxed);
  waker_.wake();
}

bool Worker::over(std::int64_t now_ns) const {
  if (stopped_.load(std::memory_order_relaxed)) return true;
  return plan_.open_loop ? !schedule_.next() : now_ns >= plan_.end_ns;
}

void Worker::run() {
  if (plan_.open_loop) be_punctual();
  for (std::int64_t now_ns = now(); !over(now_ns); now_ns = now()) {
    while (now_ns >= next_report_ns_) report();
    lane_.nothing_before(plan_.epoch_ns + now_ns);
    step(now_ns);
  }
  lane_.nothing_before(INT64_MAX);
  const std::int64_t end_ns = std::min(now(), plan_.end_ns);
  events_.report(second_, std::move(tally_), true);
  events_.done(end_ns);
}

void Worker::step(std::int64_t now_ns) {
  if (!plan_.open_loop) {
    if (connection_ == nullptr && now_ns < reconnect_ns_) return wait_until(reconnect_ns_);
    request(next_index_, now_ns, now_ns);
    next_index_ += plan_.workers;
    return;
  }
  if (const auto due = schedule_.take_due(now_ns)) return request(due->index, due->at_ns, now_ns);
  wait_until(schedule_.next()->at_ns);
}

void Worker::wait_until(std::int64_t at_ns) {
  const auto now_ns = now();
  const auto until = std::min({at_ns, now_ns + tick_ns, next_report_ns_});
  if (until > now_ns) poller_.wait(until - now_ns);
}

void Worker::request(std::uint64_t index, std::int64_t planned_ns, std::int64_t now_ns) {
  const bool counted = planned_ns >= plan_.warmup_ns;
  if (counted) tally_->parts[0].plan();
  const RequestTimes unsent{.planned_ns = planned_ns};
  if (plan_.open_loop && now_ns - planned_ns > plan_.timeout_ns) {
    if (counted) lose(Failure::backlog, {}, unsent);
    return;
  }
  if (!connected(now_ns)) {
    if (counted) lose(Failure::no_connection, why_unconnected_, unsent);
    return;
  }
  const auto sent_ns = now();
  if (counted) {
    ++tally_->sent;
    if (plan_.open_loop) tally_->send_lag.record(duration(planned_ns, sent_ns));
  }
  const auto key = plan_.chooser->key_of(index);
  const auto decided =
      decide(*connection_, *plan_.options->limiter, fmt::format("{}{}", plan_.key_prefix, key),
             plan_.options->retries, [&] { return plan_.epoch_ns + now(); });
  if (decided.end == Decided::End::allowed) lane_.admitted({key, decided.now_ns});
  if (decided.lost) connection_.reset();
  if (counted) count(decided, {planned_ns, sent_ns});
}

/// Whether there is a connection; makes one now and then.
bool Worker::connected(std::int64_t now_ns) {
  if (connection_ != nullptr) return true;
  if (now_ns >= reconnect_ns_) {
    auto made = plan_.options->connect();
    if (made) {
      connection_ = std::move(*made);
      return true;
    }
    why_unconnected_ = made.error().message;
    reconnect_ns_ = now() + reconnect_pause_ns;
  }
  return false;
}

/// A request is waited for as long as its timeout.
void Worker::lose(Failure failure, std::string_view why, const RequestTimes& request) {
  tally_->lose(0, failure, why, request, std::min(now(), request.planned_ns + plan_.timeout_ns));
}

void Worker::take_tally() {
  tally_ = plan_.tallies->take();
  tally_->plan_until(plan_.end_ns);
}

void Worker::count(const Decided& decided, const RequestTimes& request) {
  const bool gave_up = decided.end == Decided::End::gave_up;
  counts_.conflicts += decided.conflicts;
  counts_.retries += decided.conflicts - (gave_up ? 1 : 0);
  counts_.gave_up += gave_up ? 1 : 0;
  if (decided.end == Decided::End::allowed || decided.end == Decided::End::denied) {
    return count_answer(decided.end == Decided::End::allowed, request);
  }
  count_failure(decided, request);
}

void Worker::count_answer(bool allowed, const RequestTimes& request) {
  const auto end_ns = now();
  if (end_ns - request.planned_ns > plan_.timeout_ns) return lose(Failure::timeout, {}, request);
  tally_->parts[0].complete(request, end_ns);
  ++(allowed ? counts_.allowed : counts_.denied);
}

void Worker::count_failure(const Decided& decided, const RequestTimes& request) {
  switch (decided.end) {
    case Decided::End::gave_up:
      return lose(Failure::conflict, fmt::format("{} conflicts in a row", decided.conflicts),
                  request);
    case Decided::End::bad_state: return lose(Failure::bad_state, decided.why, request);
    default:
      return lose(decided.lost ? Failure::connection_error : Failure::store_refused, decided.why,
                  request);
  }
}

void Worker::report() {
  events_.report(second_++, std::move(tally_), false);
  take_tally();
  next_report_ns_ += base::second_ns;
  if (next_report_ns_ >= plan_.end_ns) next_report_ns_ = INT64_MAX;
}

}  // namespace hallmark::loadgen::store
