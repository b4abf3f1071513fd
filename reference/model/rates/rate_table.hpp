#pragma once
#include <boost/unordered/unordered_flat_set.hpp>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "reference/model/rates/rate_estimator.hpp"
#include "reference/model/rates/use_statistics.hpp"

namespace hallmark::model {

/// A key that was used.
struct RatedKey {
  StoredRate stored;
  std::uint32_t period_seconds = 1;
  std::string key;
  std::uint64_t hash = 0;
  std::unique_ptr<UseStatistics> statistics;  ///< null where they are not kept
};

/// The keys that were used, at most so many. When it is full, a new key takes the place of one that
/// nobody has used for so long that forgetting it changes no reply.
class RateTable {
 public:
  explicit RateTable(std::size_t max_keys)
      : max_keys_(max_keys), index_(0, Hasher{this}, Matcher{this}) {}
  RateTable(const RateTable&) = delete;
  RateTable& operator=(const RateTable&) = delete;

  std::size_t size() const { return index_.size(); }

  /// Null where the key is not there. Stays where it is until it is forgotten.
  RatedKey* find(std::string_view key);

  /// A place for a key that is not there, of which a use at `now` is the first; null where there is
  /// none.
  RatedKey* add(std::string_view key, Time now);

 private:
  using Slot = std::uint32_t;

  struct Hasher {
    using is_transparent = void;
    using is_avalanching = void;
    const RateTable* table;
    std::size_t operator()(std::string_view key) const { return hash_of(key); }
    std::size_t operator()(Slot slot) const { return table->keys_[slot].hash; }
  };
  struct Matcher {
    using is_transparent = void;
    const RateTable* table;
    bool operator()(std::string_view key, Slot slot) const { return key == table->keys_[slot].key; }
    bool operator()(Slot slot, std::string_view key) const { return key == table->keys_[slot].key; }
    bool operator()(Slot left, Slot right) const { return left == right; }
  };

  static std::uint64_t hash_of(std::string_view key) { return std::hash<std::string_view>{}(key); }
  std::optional<Slot> forget_one(Time now);

  std::size_t max_keys_;
  std::deque<RatedKey> keys_;  ///< by slot
  boost::unordered_flat_set<Slot, Hasher, Matcher> index_;
  Slot looked_at_ = 0;
};

}  // namespace hallmark::model
