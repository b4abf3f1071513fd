#include "reference/model/strategy.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "reference/model/strategy_state.hpp"
#include "reference/mutants/mutant.hpp"

namespace hallmark::model {

namespace {

using mutants::on;
using mutants::operator""_mutant;
using protocol::Malformed;

template <class T>
using Read = boost::system::result<T, Malformed>;

constexpr double second = 1e9;
constexpr std::int64_t shortest_expiry = 1'000'000'000;
constexpr double times_kept = 5;
constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();

/// Times that no clock shows stand in broken states: sums and differences stay within 64 bits.
std::int64_t plus(std::int64_t a, std::int64_t b) {
  std::int64_t sum = 0;
  if (!__builtin_add_overflow(a, b, &sum)) return sum;
  return b > 0 ? most : std::numeric_limits<std::int64_t>::min();
}

std::int64_t minus(std::int64_t a, std::int64_t b) {
  std::int64_t difference = 0;
  if (!__builtin_sub_overflow(a, b, &difference)) return difference;
  return b < 0 ? most : std::numeric_limits<std::int64_t>::min();
}

std::int64_t whole(double number) {
  if (number >= static_cast<double>(most)) return most;
  if (number <= static_cast<double>(std::numeric_limits<std::int64_t>::min()))
    return std::numeric_limits<std::int64_t>::min();
  return static_cast<std::int64_t>(number);
}

std::int64_t in_seconds(std::int64_t now, double seconds) {
  return plus(now, whole(std::ceil(seconds * second)));
}

std::int64_t expiry(double burst, double rate) {
  if (on("expiry.one-second"_mutant)) return shortest_expiry;
  return std::max(shortest_expiry, whole(times_kept * burst / rate * second));
}

/// What flowed at `rate` from `last` to `now`.
double flow(std::int64_t last, std::int64_t now, double rate) {
  if (on("bucket.whole-seconds"_mutant))
    return std::floor(static_cast<double>(minus(now, last)) / second) * rate;
  if (on("bucket.per-minute"_mutant)) rate /= 60;
  return static_cast<double>(minus(now, last)) * rate / second;
}

/// An answer about one strategy; `state` is written only if the request is allowed as a whole.
struct Answer {
  bool allowed = false;
  std::vector<QuotaResult> results;
  std::string state;
  std::int64_t expires_in = 0;
};

Answer one_limit(bool allowed, std::int64_t remaining, std::int64_t reset, std::string state,
                 std::int64_t expires_in) {
  return {allowed, {{"default", allowed, remaining, reset}}, std::move(state), expires_in};
}

/// Asks a strategy: what it would answer, without consuming anything, or with it where it allows.
class Asking {
 public:
  Asking(std::optional<std::string_view> state, std::int64_t now, bool consume)
      : state_(state), now_(now), consume_(consume) {}

  Read<Answer> operator()(const TokenBucket& bucket) const {
    TokenBucketState held{on("bucket.starts-empty"_mutant) ? 0 : bucket.burst, now_};
    if (state_) {
      const auto read = read_token_bucket(*state_);
      if (!read) return read.error();
      held = *read;
    }
    double tokens = held.tokens + flow(held.last_refill, now_, bucket.rate);
    if (!on("bucket.no-most"_mutant)) tokens = std::min(tokens, bucket.burst);
    const double before = tokens;
    const bool allowed =
        (on("bucket.takes-fractions"_mutant) ? std::ceil(tokens) : std::floor(tokens)) >= 1;
    if (allowed && consume_) tokens -= 1;
    const std::int64_t reset =
        in_seconds(now_, (allowed ? bucket.burst - tokens : 1 - tokens) / bucket.rate);
    const double told = on("remaining.before"_mutant) ? before : tokens;
    return one_limit(allowed, std::max<std::int64_t>(whole(told), 0), reset,
                     text_for(allowed, TokenBucketState{tokens, now_}),
                     expiry(bucket.burst, bucket.rate));
  }

  Read<Answer> operator()(const LeakyBucket& bucket) const {
    LeakyBucketState held{0, now_};
    if (state_) {
      const auto read = read_leaky_bucket(*state_);
      if (!read) return read.error();
      held = *read;
    }
    double requests = held.requests;
    if (!on("leaky.never-leaks"_mutant)) requests -= flow(held.last_leak, now_, bucket.rate);
    if (!on("leaky.below-zero"_mutant)) requests = std::max(0.0, requests);
    const bool allowed = requests + (on("leaky.one-more"_mutant) ? 0 : 1) <= bucket.capacity;
    if (allowed && consume_) requests += 1;
    const std::int64_t reset =
        in_seconds(now_, (allowed ? requests : requests + 1 - bucket.capacity) / bucket.rate);
    const std::int64_t remaining = minus(whole(bucket.capacity), whole(requests));
    return one_limit(allowed, std::max<std::int64_t>(remaining, 0), reset,
                     text_for(allowed, LeakyBucketState{requests, now_}),
                     expiry(bucket.capacity, bucket.rate));
  }

  Read<Answer> operator()(const Gcra& gcra) const {
    GcraState held{now_};
    if (state_) {
      const auto read = read_gcra(*state_);
      if (!read) return read.error();
      held = *read;
    }
    const std::int64_t interval = whole(second / gcra.rate);
    const double burst = gcra.burst + (on("gcra.one-more"_mutant) ? 1 : 0);
    const std::int64_t limit = whole(burst * static_cast<double>(interval));
    const std::int64_t from = on("gcra.past-credit"_mutant) ? held.tat : std::max(held.tat, now_);
    const std::int64_t next = plus(from, interval);
    const bool allowed = minus(next, now_) <= limit;
    const std::int64_t tat = allowed && consume_ ? next : from;
    const std::int64_t left = minus(limit, minus(tat, now_));
    const std::int64_t remaining = std::clamp<std::int64_t>(left / interval, 0, whole(gcra.burst));
    return one_limit(allowed, remaining, allowed ? tat : minus(next, limit),
                     text_for(allowed, GcraState{tat}), expiry(gcra.burst, gcra.rate));
  }

  Read<Answer> operator()(const FixedWindow& fixed) const {
    FixedWindowState held;
    if (state_) {
      auto read = read_fixed_window(*state_, fixed);
      if (!read) return read.error();
      held = std::move(*read);
    }
    FixedWindowState current = windows_at_now(fixed, held);
    Answer answer{.allowed = true, .results = {}, .state = {}, .expires_in = 1};
    answer.allowed = all_below(fixed, current);
    for (std::size_t i = 0; i < fixed.quotas.size(); ++i) {
      const Quota& quota = fixed.quotas[i];
      QuotaState& window = current.quotas[i];
      const bool below = is_below(quota, window);
      if (answer.allowed && consume_) window.count = plus(window.count, 1);
      const std::int64_t reset = plus(window.start, quota.window);
      const std::int64_t remaining = std::max<std::int64_t>(minus(quota.limit, window.count), 0);
      answer.results.push_back({quota.name, below, remaining, reset});
      const double kept = times_kept * static_cast<double>(minus(reset, now_));
      answer.expires_in = std::max(answer.expires_in, whole(kept));
    }
    if (on("expiry.one-second"_mutant)) answer.expires_in = shortest_expiry;
    answer.state = text_for(answer.allowed, current);
    return answer;
  }

 private:
  /// Only what may be written needs a text; some mutants write what may not.
  template <class State>
  std::string text_for(bool allowed, const State& state) const {
    return (allowed && consume_) || mutants::any() ? text_of(state) : std::string();
  }

  static bool is_below(const Quota& quota, const QuotaState& window) {
    return on("window.one-more"_mutant) ? window.count <= quota.limit : window.count < quota.limit;
  }

  static bool all_below(const FixedWindow& fixed, const FixedWindowState& current) {
    std::size_t below = 0;
    for (std::size_t i = 0; i < fixed.quotas.size(); ++i) {
      if (is_below(fixed.quotas[i], current.quotas[i])) ++below;
    }
    return below >= (on("window.any-quota"_mutant) ? std::size_t{1} : fixed.quotas.size());
  }

  bool is_over(const Quota& quota, const QuotaState& window) const {
    if (on("window.never-over"_mutant)) return false;
    if (on("window.late"_mutant)) return minus(now_, window.start) > quota.window;
    return minus(now_, window.start) >= quota.window;
  }

  /// The configured quotas, in their order; a window that is over, or that the state does not have,
  /// starts now.
  FixedWindowState windows_at_now(const FixedWindow& fixed, const FixedWindowState& held) const {
    FixedWindowState current;
    for (const Quota& quota : fixed.quotas) {
      const auto found = std::ranges::find(held.quotas, quota.name, &QuotaState::name);
      const bool over = found == held.quotas.end() || is_over(quota, *found);
      current.quotas.push_back(over ? QuotaState{quota.name, 0, now_} : *found);
      if (on("window.begins-anew"_mutant)) current.quotas.back().start = now_;
    }
    return current;
  }

  std::optional<std::string_view> state_;
  std::int64_t now_;
  bool consume_;
};

Read<Answer> ask(const SingleStrategy& strategy, std::optional<std::string_view> state,
                 std::int64_t now, bool consume) {
  return std::visit(Asking(state, now, consume), strategy);
}

Decision decision_of(Answer answer) {
  Decision decision{.allowed = answer.allowed,
                    .results = std::move(answer.results),
                    .state = {},
                    .expires_in = answer.expires_in};
  if (decision.allowed || on("denied.writes"_mutant)) decision.state = std::move(answer.state);
  return decision;
}

Read<Decision> decide_both(const Composite& composite, std::optional<std::string_view> state,
                           std::int64_t now) {
  std::optional<CompositeState> held;
  if (state) {
    auto read = read_composite(*state, name_of(composite.primary), name_of(composite.secondary));
    if (!read) return read.error();
    held = *read;
  }
  const auto part = [&](std::string_view CompositeState::*which) {
    return held ? std::optional((*held).*which) : std::nullopt;
  };
  bool consume = false;
  while (true) {
    auto first = ask(composite.primary, part(&CompositeState::primary), now, consume);
    if (!first) return first.error();
    auto second_one = ask(composite.secondary, part(&CompositeState::secondary), now, consume);
    if (!second_one) return second_one.error();
    const bool both = on("composite.either"_mutant) ? first->allowed || second_one->allowed
                                                    : first->allowed && second_one->allowed;
    if (both && !consume) {
      consume = true;
      continue;
    }
    Answer answer{.allowed = both,
                  .results = std::move(first->results),
                  .state = both || mutants::any()
                               ? text_of(CompositeState{first->state, second_one->state})
                               : std::string(),
                  .expires_in = std::max(first->expires_in, second_one->expires_in)};
    std::ranges::move(second_one->results, std::back_inserter(answer.results));
    if (on("composite.primary-consumes"_mutant) && !both && first->allowed) {
      Decision half = decision_of(std::move(answer));
      const auto consumed = ask(composite.primary, part(&CompositeState::primary), now, true);
      half.state = text_of(CompositeState{consumed->state, second_one->state});
      return half;
    }
    return decision_of(std::move(answer));
  }
}

}  // namespace

boost::system::result<Decision, Malformed> decide(const Strategy& strategy,
                                                  std::optional<std::string_view> state,
                                                  std::int64_t now) {
  if (const auto* const composite = std::get_if<Composite>(&strategy))
    return decide_both(*composite, state, now);
  auto answer = std::visit(
      [&](const auto& one) -> Read<Answer> {
        if constexpr (std::is_same_v<std::decay_t<decltype(one)>, Composite>)
          return Malformed{};
        else
          return Asking(state, now, true)(one);
      },
      strategy);
  if (!answer) return answer.error();
  return decision_of(std::move(*answer));
}

}  // namespace hallmark::model
