#pragma once
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "reference/model/rates/key_uses.hpp"

namespace hallmark::model {

/// A correct rate limiter: the rules, the estimator of released servers and the memory of each key.
/// No clock: each call says when it happens; time is since the Unix epoch, as the buckets of the
/// statistics are aligned to it.
class RateLimiter {
 public:
  /// `rules` outlive it. Of keys beyond `max_keys`, the answer is that of a first use, and nothing
  /// is counted.
  RateLimiter(const protocol::ratelimit::Rules& rules, const RateBehaviour& behaviour,
              std::size_t max_keys);
  RateLimiter(const RateLimiter&) = delete;
  RateLimiter& operator=(const RateLimiter&) = delete;

  /// Tries to make a use of a key. Nothing where the behaviour is to be silent.
  std::optional<RatedUse> use(std::string_view key, Time now);

  /// The statistics of a key, which is not rewritten by the rules.
  UseCounts counts(std::string_view key, Time now) { return uses_->counts(key, now); }

  /// Returns the number of keys that are kept.
  std::size_t keys() const { return uses_->size(); }

  const RateBehaviour& behaviour() const { return behaviour_; }

  /// Puts something around the uses that answers in their place from now on: `wrap` gets what
  /// answered so far and may ask it.
  template <class Wrap>
  void wrap_uses(Wrap&& wrap) {
    uses_ = around_.emplace_back(wrap(*uses_)).get();
  }

 private:
  std::optional<RatedUse> use_unruled(std::string_view key, Time now);

  const protocol::ratelimit::Rules& rules_;
  const RateBehaviour behaviour_;
  RatedKeys keys_;
  KeyUses* uses_ = &keys_;                        ///< the keys, or what was put around them
  std::vector<std::unique_ptr<KeyUses>> around_;  ///< the inner ones first
  protocol::ratelimit::Rules::Room room_;
};

}  // namespace hallmark::model
