#include "loadgen/drivers/store/request_book.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace hallmark::loadgen::store {
namespace {

std::uint64_t duration(std::int64_t from_ns, std::int64_t to_ns) {
  return static_cast<std::uint64_t>(std::max<std::int64_t>(0, to_ns - from_ns));
}

Failure failure_of(const Decided& decided) {
  switch (decided.end) {
    case Decided::End::gave_up: return Failure::conflict;
    case Decided::End::bad_state: return Failure::bad_state;
    default: return decided.lost ? Failure::connection_error : Failure::store_refused;
  }
}

}  // namespace

void add(reports::StoreCounts& sum, const reports::StoreCounts& more) {
  sum.allowed += more.allowed;
  sum.denied += more.denied;
  sum.conflicts += more.conflicts;
  sum.retries += more.retries;
  sum.gave_up += more.gave_up;
}

bool RequestBook::begin(const Planned& due, std::int64_t now_ns, Tally& tally) {
  due_ = due;
  sent_ns_ = never_sent;
  if (counted()) tally.parts[0].plan();
  if (now_ns - due.at_ns < plan_.timeout_ns) return true;
  lose(held_up() ? Failure::backlog : Failure::late, {}, now_ns, tally);
  return false;
}

void RequestBook::unconnected(Failure failure, std::string_view why, std::int64_t now_ns,
                              Tally& tally) {
  lose(failure, why, now_ns, tally);
  free_since_ns_ = now_ns;
}

void RequestBook::sending(std::int64_t now_ns, Tally& tally) {
  sent_ns_ = now_ns;
  own_lag_ns_ = duration(std::max(due_.at_ns, free_since_ns_), now_ns);
  if (!counted()) return;
  ++tally.sent;
  if (!plan_.open_loop) return;
  tally.send_lag.record(duration(due_.at_ns, now_ns));
  if (held_up()) return;
  if (own_lag_ns_ > static_cast<std::uint64_t>(plan_.lag_bound_ns)) ++tally.client_late;
  if (plan_.departures != nullptr && plan_.departures->marks(due_.ordinal))
    plan_.departures->record(due_.ordinal, now_ns);
}

void RequestBook::ended(const Decided& decided, std::int64_t now_ns, Tally& tally) {
  free_since_ns_ = now_ns;
  if (!counted()) return;
  count(decided);
  const bool allowed = decided.end == Decided::End::allowed;
  if (allowed || decided.end == Decided::End::denied) return answered(allowed, now_ns, tally);
  const std::string why = decided.end == Decided::End::gave_up
                              ? fmt::format("{} conflicts in a row", decided.conflicts)
                              : decided.why;
  lose(failure_of(decided), why, now_ns, tally);
}

void RequestBook::count(const Decided& decided) {
  const std::uint64_t gave_up = decided.end == Decided::End::gave_up ? 1 : 0;
  counts_.conflicts += decided.conflicts;
  counts_.retries += decided.conflicts - gave_up;
  counts_.gave_up += gave_up;
}

void RequestBook::answered(bool allowed, std::int64_t now_ns, Tally& tally) {
  if (now_ns - due_.at_ns >= plan_.timeout_ns) return lose(Failure::timeout, {}, now_ns, tally);
  const RequestTimes times{due_.at_ns, sent_ns_};
  tally.parts[0].complete(times, now_ns);
  tally.parts[0].blame_client(times, now_ns, {.lag_ns = own_lag_ns_});
  ++(allowed ? counts_.allowed : counts_.denied);
}

void RequestBook::lose(Failure failure, std::string_view why, std::int64_t now_ns,
                       Tally& tally) const {
  if (!counted()) return;
  tally.lose(0, failure, why, {due_.at_ns, sent_ns_},
             waited_until(failure, due_.at_ns, plan_.timeout_ns, now_ns));
}

}  // namespace hallmark::loadgen::store
