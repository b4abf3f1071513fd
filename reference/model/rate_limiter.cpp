#include "reference/model/rate_limiter.hpp"

namespace hallmark::model {

using protocol::ratelimit::Discipline;

namespace {

/// Of a key that no rule is for: what released servers name, without holding anybody to it.
constexpr protocol::ratelimit::Limit unruled{.uses = 1, .period_seconds = 1};

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
  RatedKey* known = table_.find(key);
  if (known != nullptr) {
    use.rate = rate_of_use(known->stored, now, limit.period_seconds);
  } else {
    known = table_.add(key, now);
    if (known == nullptr) return use;
  }
  known->period_seconds = limit.period_seconds;
  use.is_over = is_over(use.rate, limit);
  if (!use.is_over || limit.discipline == Discipline::strict) known->stored = {use.rate, now};
  if (limit.statistics) statistics_of(*known).count(now, use.rate, use.is_over);
  return use;
}

UseStatistics& RateLimiter::statistics_of(RatedKey& key) {
  if (!key.statistics) key.statistics = std::make_unique<UseStatistics>();
  return *key.statistics;
}

UseCounts RateLimiter::counts(std::string_view key, Time now) {
  const RatedKey* const known = table_.find(key);
  return known != nullptr && known->statistics ? known->statistics->counts(now) : UseCounts{};
}

}  // namespace hallmark::model
