#include "loadgen/drivers/store/driver.hpp"

#include <fmt/format.h>

#include <algorithm>

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

Driver::Driver(EventLoop& loop, const DriverPlan& plan,
               std::unique_ptr<stores::Connection> connection, AdmissionLane& lane)
    : loop_(loop),
      plan_(plan),
      connection_(std::move(connection)),
      lane_(lane),
      next_index_(loop.number()) {}

void Driver::advance(std::int64_t now_ns) {
  lane_.nothing_before(plan_.epoch_ns + now_ns);
  if (loop_.plan().open_loop || !loop_.planning(now_ns)) return;
  if (connection_ == nullptr && now_ns < reconnect_ns_) return;
  request({next_index_, now_ns}, now_ns);
  next_index_ += loop_.plan().loops;
}

std::int64_t Driver::next_advance_ns(std::int64_t now_ns) const {
  const bool sends = !loop_.plan().open_loop && loop_.planning(now_ns);
  if (sends) return connection_ == nullptr ? reconnect_ns_ : now_ns;
  return now_ns + tick_ns;
}

void Driver::plan(const Planned& due, std::int64_t now_ns) { request(due, now_ns); }

void Driver::request(const Planned& due, std::int64_t now_ns) {
  const std::int64_t planned_ns = due.at_ns;
  const bool counted = planned_ns >= loop_.plan().warmup_ns;
  if (counted) loop_.tally().parts[0].plan();
  const RequestTimes unsent{.planned_ns = planned_ns};
  if (now_ns - planned_ns > plan_.timeout_ns) {
    const bool held_up = free_since_ns_ > planned_ns;
    if (counted) lose(held_up ? Failure::backlog : Failure::late, {}, unsent);
    return;
  }
  if (!connected(now_ns)) {
    if (counted) lose(Failure::no_connection, why_unconnected_, unsent);
    return;
  }
  const auto sent_ns = loop_.now();
  if (counted) count_departure(due, sent_ns);
  const auto key = plan_.chooser->key_of(due.index);
  const auto decided =
      decide(*connection_, *plan_.options->limiter, fmt::format("{}{}", plan_.key_prefix, key),
             plan_.options->retries, [&] { return plan_.epoch_ns + loop_.now(); });
  if (decided.end == Decided::End::allowed) lane_.admitted({key, decided.now_ns});
  if (decided.lost) connection_.reset();
  if (counted) count(decided, {planned_ns, sent_ns});
  free_since_ns_ = loop_.now();
}

/// A request that waited for the store to answer the one before was held up by the target.
void Driver::count_departure(const Planned& due, std::int64_t sent_ns) {
  Tally& tally = loop_.tally();
  ++tally.sent;
  if (!loop_.plan().open_loop) return;
  const std::uint64_t lag = duration(due.at_ns, sent_ns);
  tally.send_lag.record(lag);
  if (free_since_ns_ > due.at_ns) return;
  if (lag > static_cast<std::uint64_t>(plan_.lag_bound_ns)) ++tally.client_late;
  if (loop_.departures()->marks(due.ordinal)) loop_.departures()->record(due.ordinal, sent_ns);
}

/// Whether there is a connection; makes one now and then.
bool Driver::connected(std::int64_t now_ns) {
  if (connection_ != nullptr) return true;
  if (now_ns >= reconnect_ns_) {
    auto made = plan_.options->connect();
    if (made) {
      connection_ = std::move(*made);
      return true;
    }
    why_unconnected_ = made.error().message;
    reconnect_ns_ = loop_.now() + reconnect_pause_ns;
  }
  return false;
}

void Driver::lose(Failure failure, std::string_view why, const RequestTimes& request) {
  loop_.tally().lose(0, failure, why, request,
                     waited_until(failure, request.planned_ns, plan_.timeout_ns, loop_.now()));
}

void Driver::count(const Decided& decided, const RequestTimes& request) {
  const bool gave_up = decided.end == Decided::End::gave_up;
  counts_.conflicts += decided.conflicts;
  counts_.retries += decided.conflicts - (gave_up ? 1 : 0);
  counts_.gave_up += gave_up ? 1 : 0;
  if (decided.end == Decided::End::allowed || decided.end == Decided::End::denied) {
    return count_answer(decided.end == Decided::End::allowed, request);
  }
  count_failure(decided, request);
}

void Driver::count_answer(bool allowed, const RequestTimes& request) {
  const auto end_ns = loop_.now();
  if (end_ns - request.planned_ns > plan_.timeout_ns) return lose(Failure::timeout, {}, request);
  loop_.tally().parts[0].complete(request, end_ns);
  ++(allowed ? counts_.allowed : counts_.denied);
}

void Driver::count_failure(const Decided& decided, const RequestTimes& request) {
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

}  // namespace hallmark::loadgen::store
