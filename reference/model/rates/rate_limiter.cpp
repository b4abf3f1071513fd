#include "reference/model/rates/rate_limiter.hpp"

namespace hallmark::model {

namespace {

/// The limit that released servers name for a key without a rule, without holding anybody to it.
constexpr protocol::ratelimit::Limit unruled{.uses = 1, .period_seconds = 1};

}  // namespace

RateLimiter::RateLimiter(const protocol::ratelimit::Rules& rules, const RateBehaviour& behaviour,
                         std::size_t max_keys)
    : rules_(rules), behaviour_(behaviour), keys_(behaviour, max_keys) {}

std::optional<RatedUse> RateLimiter::use(std::string_view key, Time now) {
  const auto match = rules_.match(key, room_);
  if (match.limit == nullptr) return use_unruled(match.key, now);
  return uses_->use(match.key, *match.limit, now);
}

std::optional<RatedUse> RateLimiter::use_unruled(std::string_view key, Time now) {
  switch (behaviour_.default_key) {
    case UnruledKey::never_over: break;
    case UnruledKey::limited: return uses_->use(key, unruled, now);
    case UnruledKey::silence: return std::nullopt;
  }
  return RatedUse{false, 0, unruled.uses, unruled.period_seconds};
}

}  // namespace hallmark::model
