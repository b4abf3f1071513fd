#include "reference/model/rates/key_uses.hpp"

namespace hallmark::model {
namespace {

UseStatistics& statistics_of(RatedKey& key) {
  if (!key.statistics) key.statistics = std::make_unique<UseStatistics>();
  return *key.statistics;
}

}  // namespace

RatedUse RatedKeys::use(std::string_view key, const Limit& limit, Time now) {
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
  const bool counts = !use.is_over || limit.discipline == protocol::ratelimit::Discipline::strict;
  if (counts) known->stored = {use.rate, now};
  if (limit.statistics) statistics_of(*known).count(now, use.rate, use.is_over);
  return use;
}

UseCounts RatedKeys::counts(std::string_view key, Time now) {
  const RatedKey* const known = table_.find(key);
  return known != nullptr && known->statistics ? known->statistics->counts(now) : UseCounts{};
}

}  // namespace hallmark::model
