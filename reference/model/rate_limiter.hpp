#pragma once
#include <optional>
#include <string_view>

#include "reference/model/rate_behaviour.hpp"
#include "reference/model/rate_table.hpp"
#include "reference/protocol/ratelimit_rules.hpp"

namespace hallmark::model {

/// What over_limit answers.
struct RatedUse {
  bool is_over = false;
  double rate = 0;  ///< before this use left anything behind
  double limit = 0;
  std::uint32_t period_seconds = 1;
};

/// What a correct rate limiter answers: the rules, the estimator of released servers and what it
/// keeps of each key. No clock: each call says when it happens; time is since the Unix epoch, as
/// the buckets of the statistics are aligned to it.
class RateLimiter {
 public:
  /// `rules` outlive it. Of keys beyond `max_keys`, the answer is that of a first use, and nothing
  /// is counted.
  RateLimiter(const protocol::ratelimit::Rules& rules, const RateBehaviour& behaviour,
              std::size_t max_keys);

  /// Tries to make a use of a key. Nothing where the behaviour is to be silent.
  std::optional<RatedUse> use(std::string_view key, Time now);

  /// Of a key as uses are counted under, without rewriting it.
  UseCounts counts(std::string_view key, Time now);

  /// How many are kept.
  std::size_t keys() const { return table_.size(); }

  const RateBehaviour& behaviour() const { return behaviour_; }

 private:
  using Limit = protocol::ratelimit::Limit;

  std::optional<RatedUse> use_unruled(std::string_view key, Time now);
  RatedUse use_limited(std::string_view key, const Limit& limit, Time now);
  static UseStatistics& statistics_of(RatedKey& key);
  bool is_over(double rate, const Limit& limit) const {
    return behaviour_.over_when_above ? rate > limit.uses : rate >= limit.uses;
  }

  const protocol::ratelimit::Rules& rules_;
  const RateBehaviour behaviour_;
  RateTable table_;
  protocol::ratelimit::Rules::Room room_;
};

}  // namespace hallmark::model
