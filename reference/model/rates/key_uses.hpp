#pragma once
#include <string_view>

#include "protocol/rules/ratelimit_rules.hpp"
#include "reference/model/rates/rate_behaviour.hpp"
#include "reference/model/rates/rate_table.hpp"

namespace hallmark::model {

/// The answer to over_limit.
struct RatedUse {
  bool is_over = false;
  double rate = 0;  ///< before this use left anything behind
  double limit = 0;
  std::uint32_t period_seconds = 1;
};

/// The uses of keys, each under the limit that the rules have for it. Times are since the Unix
/// epoch, as the buckets of the statistics are aligned to it.
class KeyUses {
 public:
  using Limit = protocol::ratelimit::Limit;

  KeyUses() = default;
  KeyUses(const KeyUses&) = delete;
  KeyUses& operator=(const KeyUses&) = delete;
  virtual ~KeyUses() = default;

  /// Tries to make a use of a key.
  virtual RatedUse use(std::string_view key, const Limit& limit, Time now) = 0;

  /// The statistics of a key; zeros if there are none.
  virtual UseCounts counts(std::string_view key, Time now) = 0;

  /// The memory of a key; null if it has not been used.
  virtual RatedKey* find(std::string_view key) = 0;

  /// Returns the number of keys that are kept.
  virtual std::size_t size() const = 0;
};

/// The uses as released servers count them.
class RatedKeys final : public KeyUses {
 public:
  /// A use of a key beyond `max_keys` is answered as a first use, and not counted.
  RatedKeys(const RateBehaviour& behaviour, std::size_t max_keys)
      : behaviour_(behaviour), table_(max_keys) {}

  RatedUse use(std::string_view key, const Limit& limit, Time now) override;
  UseCounts counts(std::string_view key, Time now) override;
  RatedKey* find(std::string_view key) override { return table_.find(key); }
  std::size_t size() const override { return table_.size(); }

 private:
  bool is_over(double rate, const Limit& limit) const {
    return behaviour_.over_when_above ? rate > limit.uses : rate >= limit.uses;
  }

  const RateBehaviour behaviour_;
  RateTable table_;
};

}  // namespace hallmark::model
