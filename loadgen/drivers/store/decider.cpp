#include "loadgen/drivers/store/decider.hpp"

namespace hallmark::loadgen::store {
namespace {

Decided failed(Decided decided, const stores::Error& error) {
  decided.end = Decided::End::failed;
  decided.lost = error.retryable();
  decided.why = error.message;
  return decided;
}

Decided bad_state(Decided decided, std::string why) {
  decided.end = Decided::End::bad_state;
  decided.why = std::move(why);
  return decided;
}

}  // namespace

Decided decide(stores::Connection& connection, const Limiter& limiter, const std::string& key,
               std::uint32_t retries, const std::function<std::int64_t()>& clock) {
  Decided decided;
  while (true) {
    auto held = connection.get(key);
    if (!held) return failed(decided, held.error());
    if (held->presence == stores::Presence::other_type) return bad_state(decided, "no string");
    decided.now_ns = clock();
    std::optional<std::string> state;
    if (held->presence == stores::Presence::text) state = std::move(held->value);
    auto decision = limiter.decide(state, decided.now_ns);
    if (!decision) return bad_state(decided, decision.error().message);
    decided.end = decision->allowed ? Decided::End::allowed : Decided::End::denied;
    if (!decision->state) return decided;
    const auto outcome =
        connection.compare_and_set({key, std::move(state), std::move(*decision->state),
                                    stores::Expiry::in(decision->expires_in)});
    if (!outcome) return failed(decided, outcome.error());
    if (*outcome == stores::Outcome::done) return decided;
    if (++decided.conflicts > retries) {
      decided.end = Decided::End::gave_up;
      return decided;
    }
  }
}

}  // namespace hallmark::loadgen::store
