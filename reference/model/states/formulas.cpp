#include "reference/model/states/formulas.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace hallmark::model {

namespace {

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
  return std::max(shortest_expiry, whole(times_kept * burst / rate * second));
}

Answer one_limit(bool allowed, std::int64_t remaining, std::int64_t reset, std::string state,
                 std::int64_t expires_in) {
  return {allowed, {{"default", allowed, remaining, reset}}, std::move(state), expires_in};
}

/// Only what may be written needs a text.
template <class State>
std::string text_for(bool allowed, const Question& question, const State& state) {
  return allowed && question.consume ? text_of(state) : std::string();
}

bool is_below(const Quota& quota, const QuotaState& window) { return window.count < quota.limit; }

bool all_below(const FixedWindow& fixed, const FixedWindowState& current) {
  for (std::size_t i = 0; i < fixed.quotas.size(); ++i) {
    if (!is_below(fixed.quotas[i], current.quotas[i])) return false;
  }
  return true;
}

/// The configured quotas, in their order; a window that is over, or that the state does not have,
/// starts now.
FixedWindowState windows_at(std::int64_t now, const FixedWindow& fixed,
                            const FixedWindowState& held) {
  FixedWindowState current;
  for (const Quota& quota : fixed.quotas) {
    const auto found = std::ranges::find(held.quotas, quota.name, &QuotaState::name);
    const bool over = found == held.quotas.end() || minus(now, found->start) >= quota.window;
    current.quotas.push_back(over ? QuotaState{quota.name, 0, now} : *found);
  }
  return current;
}

}  // namespace

double flow(std::int64_t last, std::int64_t now, double rate) {
  return static_cast<double>(minus(now, last)) * rate / second;
}

StateRead<Answer> Formulas::ask(const TokenBucket& bucket, const Question& question) const {
  TokenBucketState held{bucket.burst, question.now};
  if (question.state) {
    const auto read = read_token_bucket(*question.state);
    if (!read) return read.error();
    held = *read;
  }
  double tokens =
      std::min(held.tokens + flow(held.last_refill, question.now, bucket.rate), bucket.burst);
  const bool allowed = std::floor(tokens) >= 1;
  if (allowed && question.consume) tokens -= 1;
  const std::int64_t reset =
      in_seconds(question.now, (allowed ? bucket.burst - tokens : 1 - tokens) / bucket.rate);
  return one_limit(allowed, std::max<std::int64_t>(whole(tokens), 0), reset,
                   text_for(allowed, question, TokenBucketState{tokens, question.now}),
                   expiry(bucket.burst, bucket.rate));
}

StateRead<Answer> Formulas::ask(const LeakyBucket& bucket, const Question& question) const {
  LeakyBucketState held{0, question.now};
  if (question.state) {
    const auto read = read_leaky_bucket(*question.state);
    if (!read) return read.error();
    held = *read;
  }
  double requests = std::max(0.0, held.requests - flow(held.last_leak, question.now, bucket.rate));
  const bool allowed = requests + 1 <= bucket.capacity;
  if (allowed && question.consume) requests += 1;
  const std::int64_t reset =
      in_seconds(question.now, (allowed ? requests : requests + 1 - bucket.capacity) / bucket.rate);
  const std::int64_t remaining = minus(whole(bucket.capacity), whole(requests));
  return one_limit(allowed, std::max<std::int64_t>(remaining, 0), reset,
                   text_for(allowed, question, LeakyBucketState{requests, question.now}),
                   expiry(bucket.capacity, bucket.rate));
}

StateRead<Answer> Formulas::ask(const Gcra& gcra, const Question& question) const {
  GcraState held{question.now};
  if (question.state) {
    const auto read = read_gcra(*question.state);
    if (!read) return read.error();
    held = *read;
  }
  const std::int64_t interval = whole(second / gcra.rate);
  const std::int64_t limit = whole(gcra.burst * static_cast<double>(interval));
  const std::int64_t from = std::max(held.tat, question.now);
  const std::int64_t next = plus(from, interval);
  const bool allowed = minus(next, question.now) <= limit;
  const std::int64_t tat = allowed && question.consume ? next : from;
  const std::int64_t left = minus(limit, minus(tat, question.now));
  const std::int64_t remaining = std::clamp<std::int64_t>(left / interval, 0, whole(gcra.burst));
  return one_limit(allowed, remaining, allowed ? tat : minus(next, limit),
                   text_for(allowed, question, GcraState{tat}), expiry(gcra.burst, gcra.rate));
}

StateRead<Answer> Formulas::ask(const FixedWindow& fixed, const Question& question) const {
  FixedWindowState held;
  if (question.state) {
    auto read = read_fixed_window(*question.state, fixed);
    if (!read) return read.error();
    held = std::move(*read);
  }
  FixedWindowState current = windows_at(question.now, fixed, held);
  Answer answer{.allowed = true, .results = {}, .state = {}, .expires_in = 1};
  answer.allowed = all_below(fixed, current);
  for (std::size_t i = 0; i < fixed.quotas.size(); ++i) {
    const Quota& quota = fixed.quotas[i];
    QuotaState& window = current.quotas[i];
    const bool below = is_below(quota, window);
    if (answer.allowed && question.consume) window.count = plus(window.count, 1);
    const std::int64_t reset = plus(window.start, quota.window);
    const std::int64_t remaining = std::max<std::int64_t>(minus(quota.limit, window.count), 0);
    answer.results.push_back({quota.name, below, remaining, reset});
    const double kept = times_kept * static_cast<double>(minus(reset, question.now));
    answer.expires_in = std::max(answer.expires_in, whole(kept));
  }
  answer.state = text_for(answer.allowed, question, current);
  return answer;
}

}  // namespace hallmark::model
