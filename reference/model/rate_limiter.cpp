#include "reference/model/rate_limiter.hpp"

#include "reference/mutants/mutant.hpp"

namespace hallmark::model {

using mutants::on;
using mutants::operator""_mutant;
using protocol::ratelimit::Discipline;

namespace {

/// Of a key that no rule is for: what released servers name, without holding anybody to it.
constexpr protocol::ratelimit::Limit unruled{.uses = 1, .period_seconds = 1};

constexpr Time a_fifth_of_a_millisecond = 200'000;

/// A key that another one stands for.
std::string_view stood_for(std::string_view key) {
  return on("keys.one-rate-for-all"_mutant) ? std::string_view("any") : key;
}

double rate_at(const StoredRate& stored, Time now, std::uint32_t period_seconds) {
  if (on("rate.linear"_mutant) && now > stored.at) {
    return 1e9 * static_cast<double>(period_seconds) / static_cast<double>(now - stored.at);
  }
  return rate_of_use(stored, now, on("rate.per-second"_mutant) ? 1 : period_seconds);
}

}  // namespace

RateLimiter::RateLimiter(const protocol::ratelimit::Rules& rules, const RateBehaviour& behaviour,
                         std::size_t max_keys)
    : rules_(rules), behaviour_(behaviour), table_(max_keys) {}

std::optional<RatedUse> RateLimiter::use(std::string_view key, Time now) {
  const auto match = rules_.match(key, room_);
  if (match.limit == nullptr) return use_unruled(match.key, now);
  return use_limited(match.key, *match.limit, now);
}

std::optional<RatedUse> RateLimiter::use_unruled(std::string_view key, Time now) {
  switch (behaviour_.default_key) {
    case UnruledKey::never_over: break;
    case UnruledKey::limited: return use_limited(key, unruled, now);
    case UnruledKey::silence: return std::nullopt;
  }
  return RatedUse{false, 0, unruled.uses, unruled.period_seconds};
}

RatedUse RateLimiter::use_limited(std::string_view key, const Limit& limit, Time now) {
  RatedUse use{false, 0, limit.uses, limit.period_seconds};
  key = stood_for(key);
  RatedKey* known = table_.find(key);
  if (known != nullptr) {
    use.rate = rate_at(known->stored, now, limit.period_seconds);
  } else {
    known = table_.add(key, now);
    if (known == nullptr) return use;
  }
  known->period_seconds = limit.period_seconds;
  use.is_over = is_over(use.rate, limit);
  if (on("over.never"_mutant)) use.is_over = false;
  if (on("over.above-the-limit-only"_mutant)) use.is_over = is_over(use.rate / 2, limit);
  if (on("over.no-use"_mutant)) return use;
  if (on("race.uses-lost"_mutant) && now - known->stored.at < a_fifth_of_a_millisecond &&
      now != known->stored.at)
    return use;
  if (!use.is_over || limit.discipline == Discipline::strict) known->stored = {use.rate, now};
  if (on("over.counts-twice"_mutant))
    known->stored = {rate_at(known->stored, now, limit.period_seconds), now};
  if (limit.statistics && !on("stats.nothing-counted"_mutant)) {
    const bool over = use.is_over || on("stats.over-counts-all"_mutant);
    statistics_of(*known).count(now, use.rate, over);
  }
  return use;
}

UseStatistics& RateLimiter::statistics_of(RatedKey& key) {
  if (!key.statistics) key.statistics = std::make_unique<UseStatistics>();
  return *key.statistics;
}

UseCounts RateLimiter::counts(std::string_view key, Time now) {
  if (on("stats.count-as-uses"_mutant)) use(key, now);
  const RatedKey* const known = table_.find(key);
  return known != nullptr && known->statistics ? known->statistics->counts(now) : UseCounts{};
}

}  // namespace hallmark::model
