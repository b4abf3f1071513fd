#include <limits>

#include "reference/faults/bugs.hpp"
#include "reference/faults/datagrams/key_uses_fault.hpp"

namespace hallmark::faults {
namespace {

constexpr Time a_fifth_of_a_millisecond = 200'000;

struct NeverOver : AroundUses {
  using AroundUses::AroundUses;
  RatedUse use(std::string_view key, const Limit& limit, Time now) override {
    Limit none = limit;
    none.uses = std::numeric_limits<double>::infinity();
    RatedUse use = right.use(key, none, now);
    use.limit = limit.uses;
    return use;
  }
};

struct AboveTheLimitOnly : AroundUses {
  using AroundUses::AroundUses;
  RatedUse use(std::string_view key, const Limit& limit, Time now) override {
    Limit doubled = limit;
    doubled.uses *= 2;
    RatedUse use = right.use(key, doubled, now);
    use.limit = limit.uses;
    return use;
  }
};

/// The right answer, which leaves nothing behind but the key.
RatedUse use_unkept(KeyUses& right, std::string_view key, const KeyUses::Limit& limit, Time now) {
  const RatedKey* const before = right.find(key);
  const model::StoredRate stored = before == nullptr ? model::StoredRate{0, now} : before->stored;
  KeyUses::Limit uncounted = limit;
  uncounted.statistics = false;
  const RatedUse use = right.use(key, uncounted, now);
  if (RatedKey* const known = right.find(key)) known->stored = stored;
  return use;
}

struct NoUse : AroundUses {
  using AroundUses::AroundUses;
  RatedUse use(std::string_view key, const Limit& limit, Time now) override {
    return use_unkept(right, key, limit, now);
  }
};

struct UsesLost : AroundUses {
  using AroundUses::AroundUses;
  RatedUse use(std::string_view key, const Limit& limit, Time now) override {
    const RatedKey* const known = right.find(key);
    const bool lost = known != nullptr && now != known->stored.at &&
                      now - known->stored.at < a_fifth_of_a_millisecond;
    return lost ? use_unkept(right, key, limit, now) : right.use(key, limit, now);
  }
};

struct CountsTwice : AroundUses {
  using AroundUses::AroundUses;
  RatedUse use(std::string_view key, const Limit& limit, Time now) override {
    const RatedUse use = right.use(key, limit, now);
    if (RatedKey* const known = right.find(key))
      known->stored = {rate_of_use(known->stored, now, limit.period_seconds), now};
    return use;
  }
};

struct OneRateForAll : AroundUses {
  using AroundUses::AroundUses;
  RatedUse use(std::string_view, const Limit& limit, Time now) override {
    return right.use("any", limit, now);
  }
};

/// The stored rate of a key counts for nothing, only the time of its last use.
struct LinearRate : AroundUses {
  using AroundUses::AroundUses;
  RatedUse use(std::string_view key, const Limit& limit, Time now) override {
    const RatedKey* const known = right.find(key);
    const Time last = known == nullptr ? now : known->stored.at;
    RatedUse use = right.use(key, limit, now);
    if (last >= now) return use;
    use.rate = 1e9 * static_cast<double>(limit.period_seconds) / static_cast<double>(now - last);
    use.is_over = use.rate >= limit.uses;
    return use;
  }
};

struct RatePerSecond : AroundUses {
  using AroundUses::AroundUses;
  RatedUse use(std::string_view key, const Limit& limit, Time now) override {
    Limit in_a_second = limit;
    in_a_second.period_seconds = 1;
    RatedUse use = right.use(key, in_a_second, now);
    use.period_seconds = limit.period_seconds;
    return use;
  }
};

struct NothingCounted : AroundUses {
  using AroundUses::AroundUses;
  RatedUse use(std::string_view key, const Limit& limit, Time now) override {
    Limit uncounted = limit;
    uncounted.statistics = false;
    return right.use(key, uncounted, now);
  }
};

struct OverCountsAll : AroundUses {
  using AroundUses::AroundUses;
  model::UseCounts counts(std::string_view key, Time now) override {
    model::UseCounts counts = right.counts(key, now);
    counts.over = counts.requests;
    return counts;
  }
};

}  // namespace

Bugs rate_bugs() {
  return {
      {.id = "over.never",
       .breaks = "no key is ever over its limit",
       .violates = {{"ratelimit-udp", {"over_limit.verdict"}}},
       .code = uses<NeverOver>(),
       .settles = "when a key is over its limit"},
      {.id = "over.above-the-limit-only",
       .breaks = "a key is over its limit when its rate is twice the limit",
       .violates = {{"ratelimit-udp", {"over_limit.verdict"}}},
       .code = uses<AboveTheLimitOnly>(),
       .settles = "when a key is over its limit"},
      {.id = "over.no-use",
       .breaks = "over_limit answers without counting a use",
       .violates = {{"ratelimit-udp", {"over_limit.use"}}},
       .code = uses<NoUse>(),
       .settles = "how often a use counts"},
      {.id = "over.counts-twice",
       .breaks = "over_limit counts two uses",
       .violates = {{"ratelimit-udp", {"silence.estimator"}}},
       .code = uses<CountsTwice>(),
       .settles = "how often a use counts"},
      {.id = "race.uses-lost",
       .breaks =
           "a use of a key that comes within a fifth of a millisecond of another one is not kept",
       .violates = {{"ratelimit-udp", {"over_limit.use", "silence.estimator"}}},
       .code = uses<UsesLost>(),
       .settles = "how often a use counts"},
      {.id = "keys.one-rate-for-all",
       .breaks = "all keys share one rate",
       .violates = {{"ratelimit-udp", {"over_limit.describes"}}},
       .code = uses<OneRateForAll>()},
      {.id = "rate.linear",
       .breaks = "the rate of a key is one over the time since its last use",
       .violates = {{"ratelimit-udp", {"silence.estimator"}}},
       .code = uses<LinearRate>(),
       .settles = "what the rate of a key is"},
      {.id = "rate.per-second",
       .breaks = "rates are per second, whatever the period",
       .violates = {{"ratelimit-udp", {"silence.estimator"}}},
       .code = uses<RatePerSecond>(),
       .settles = "what the rate of a key is"},
      {.id = "stats.nothing-counted",
       .breaks = "statistics stay at 0",
       .violates = {{"ratelimit-udp", {"silence.statistics"}}},
       .code = uses<NothingCounted>(),
       .settles = "what statistics count"},
      {.id = "stats.over-counts-all",
       .breaks = "every use counts as over the limit",
       .violates = {{"ratelimit-udp", {"silence.statistics"}}},
       .code = uses<OverCountsAll>(),
       .settles = "what statistics count"},
      {.id = "stats.count-as-uses",
       .breaks = "get_stats counts as a use of the key",
       .violates = {{"ratelimit-udp", {"silence.statistics"}}},
       .code = datagrams([](std::string_view request, const RightReply& right, DatagramMemory&) {
         constexpr std::string_view command = "get_stats ";
         const std::string rest = parts_of(request).rest;
         if (rest.starts_with(command)) right("over_limit " + rest.substr(command.size()));
         return right(request);
       })},
  };
}

}  // namespace hallmark::faults
