#include "loadgen/drivers/store/driver.hpp"

#include <fmt/format.h>

namespace hallmark::loadgen::store {
namespace {

constexpr std::int64_t reconnect_pause_ns = 100'000'000;
/// The longest that anything waits for: what a lane has to tell must not wait longer to be judged.
constexpr std::int64_t tick_ns = 50'000'000;

BookPlan book_plan(const DriverPlan& plan, EventLoop& loop) {
  return {.open_loop = loop.plan().open_loop,
          .warmup_ns = loop.plan().warmup_ns,
          .timeout_ns = plan.timeout_ns,
          .lag_bound_ns = plan.lag_bound_ns,
          .departures = loop.departures()};
}

}  // namespace

Driver::Driver(EventLoop& loop, const DriverPlan& plan,
               std::unique_ptr<stores::Connection> connection, AdmissionLane& lane)
    : loop_(loop),
      plan_(plan),
      connection_(std::move(connection)),
      lane_(lane),
      book_(book_plan(plan, loop)),
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
  Tally& tally = loop_.tally();
  if (!book_.begin(due, now_ns, tally)) return;
  if (!connected(now_ns)) {
    const auto failure = starved_ ? Failure::starved : Failure::no_connection;
    return book_.unconnected(failure, why_unconnected_, loop_.now(), tally);
  }
  book_.sending(loop_.now(), tally);
  const auto key = plan_.chooser->key_of(due.index);
  const auto decided =
      decide(*connection_, *plan_.options->limiter, fmt::format("{}{}", plan_.key_prefix, key),
             plan_.options->retries, [&] { return plan_.epoch_ns + loop_.now(); });
  if (decided.end == Decided::End::allowed) lane_.admitted({key, decided.now_ns});
  if (decided.lost) connection_.reset();
  book_.ended(decided, loop_.now(), tally);
}

/// True if there is a connection; makes one now and then.
bool Driver::connected(std::int64_t now_ns) {
  if (connection_ != nullptr) return true;
  if (now_ns >= reconnect_ns_) {
    auto made = plan_.options->connect();
    if (made) {
      connection_ = std::move(*made);
      ++loop_.tally().reconnects;
      return true;
    }
    why_unconnected_ = made.error().message;
    starved_ = made.error().kind == stores::ErrorKind::starved;
    reconnect_ns_ = loop_.now() + reconnect_pause_ns;
  }
  return false;
}

}  // namespace hallmark::loadgen::store
