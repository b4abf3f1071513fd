#include "oracle/tests/simulation.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "base/random.hpp"

namespace hallmark::oracle {

double Estimator::count(std::int64_t at_ns) {
  const double seconds = static_cast<double>(at_ns - last_ns_) / 1e9;
  const double distance = seconds <= 0 ? 1e-9 : seconds;
  const double x = distance / (limit_.period_seconds * mistakes_.period_times);
  const double a = std::exp(-x);
  return (1 - a) / x + a * *rate_;
}

Estimator::Decision Estimator::use(std::int64_t at_ns) {
  if (mistakes_.forgets_every != 0 && uses_ % mistakes_.forgets_every == 0) rate_.reset();
  ++uses_;
  double rate = rate_ ? count(at_ns) : 0;
  if (mistakes_.counts_twice && rate_) rate += 1;
  const double limit = limit_.uses + mistakes_.limit_off_by;
  const bool over = above ? rate > limit : rate >= limit;
  const bool leaky = (limit_.discipline == Discipline::leaky) != mistakes_.other_discipline;
  if (!leaky || !over || !rate_) {
    rate_ = rate;
    last_ns_ = at_ns;
  }
  const double printed = std::max(0.0, rate + mistakes_.rate_off_by);
  return {{over, static_cast<std::uint64_t>(std::nearbyint(printed * 10))}, rate};
}

namespace {

enum class What { send, decide, receive, give_up };

struct Event {
  What what;
  int use;
};

class Play {
 public:
  Play(Estimator estimator, const Limit& limit, const Assumptions& assumptions,
       const Traffic& traffic, std::uint64_t seed)
      : estimator_(estimator), oracle_(limit, assumptions), traffic_(traffic), random_(seed, 0) {}

  Told run() {
    const auto uses = static_cast<std::size_t>(traffic_.uses);
    number_.resize(uses);
    sent_.resize(uses);
    ended_.resize(uses);
    if (traffic_.uses > 0) plan(gap(), What::send, 0);
    // Bounded: a use makes at most six events, of which one is the next use.
    while (!events_.empty()) {
      const auto [now, event] = *events_.begin();
      events_.erase(events_.begin());
      handle(now, event);
    }
    return told_;
  }

 private:
  void plan(std::int64_t at, What what, int use) { events_.emplace(at, Event{what, use}); }

  /// A number in (0, 1].
  double unit() { return random_.unit_at(drawn_++); }
  /// Exponentially distributed.
  std::int64_t drawn(double mean) { return static_cast<std::int64_t>(-mean * std::log(unit())); }
  std::int64_t gap() { return drawn(traffic_.mean_gap_ns); }
  bool happens(double share) { return unit() <= share; }

  void handle(std::int64_t now, const Event& event) {
    const auto use = static_cast<std::size_t>(event.use);
    switch (event.what) {
      case What::send: return send(now, event.use);
      case What::decide: return decide(now, event.use);
      case What::receive: return receive(now, use);
      case What::give_up:
        if (!ended_[use]) oracle_.unanswered(number_[use]);
        ended_[use] = true;
    }
  }

  void send(std::int64_t now, int use) {
    if (use + 1 < traffic_.uses) plan(now + gap(), What::send, use + 1);
    number_[static_cast<std::size_t>(use)] = oracle_.sent(now);
    sent_[static_cast<std::size_t>(use)] = now;
    const auto deliver = [&] { plan(now + drawn(traffic_.mean_delay_ns), What::decide, use); };
    if (!happens(traffic_.loss)) deliver();
    if (happens(traffic_.doubled)) deliver();
    const auto patience = static_cast<std::int64_t>(20 * traffic_.mean_delay_ns);
    plan(now + patience, What::give_up, use);
  }

  void decide(std::int64_t now, int use) {
    const auto decision = estimator_.use(now);
    if (happens(traffic_.loss)) return;
    replies_.emplace(use, decision);
    plan(now + drawn(traffic_.mean_delay_ns), What::receive, use);
  }

  // The network chooses which of two replies to one use comes first.
  void receive(std::int64_t now, std::size_t use) {
    const auto reply = replies_.find(static_cast<int>(use));
    const auto decision = reply->second;
    replies_.erase(reply);
    if (ended_[use]) {
      oracle_.repeated();
      told_.doubled = true;
      return;
    }
    ended_[use] = true;
    auto seen = oracle_.answered(number_[use], sent_[use], now, decision.reply);
    ++told_.judged;
    told_.decided += seen.judgement.decided ? 1 : 0;
    const Bounds& rate = seen.judgement.rate;
    if (decision.rate < rate.low || decision.rate > rate.high) ++told_.outside;
    if (seen.finding) told_.findings.push_back(std::move(*seen.finding));
  }

  Estimator estimator_;
  LimitOracle oracle_;
  Traffic traffic_;
  base::CounterRandom random_;
  std::uint64_t drawn_ = 0;
  std::multimap<std::int64_t, Event> events_;
  std::multimap<int, Estimator::Decision> replies_;
  std::vector<RateBounds::Use> number_;
  std::vector<std::int64_t> sent_;
  std::vector<bool> ended_;
  Told told_;
};

}  // namespace

Told play(Estimator estimator, const Limit& limit, const Assumptions& assumptions,
          const Traffic& traffic, std::uint64_t seed) {
  return Play{estimator, limit, assumptions, traffic, seed}.run();
}

}  // namespace hallmark::oracle
