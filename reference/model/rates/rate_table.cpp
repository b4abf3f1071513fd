#include "reference/model/rates/rate_table.hpp"

namespace hallmark::model {
namespace {

// After this many periods a use has a rate of 1/64, whatever the rate was: it prints as 0.0, as
// that of a first use does.
constexpr Time periods_until_forgotten = 64;
// The most keys that a full table examines to make room for a new one: this bounds the work that
// strangers can cause.
constexpr int most_looked_at = 8;

/// Counts last for as long as the server, so what has statistics is never forgotten.
bool may_be_forgotten(const RatedKey& key, Time now) {
  const Time period = span_of(TtlUnit::seconds, key.period_seconds);
  return key.statistics == nullptr && now - key.stored.at >= periods_until_forgotten * period;
}

}  // namespace

RatedKey* RateTable::find(std::string_view key) {
  const auto found = index_.find(key);
  return found == index_.end() ? nullptr : &keys_[*found];
}

RatedKey* RateTable::add(std::string_view key, Time now) {
  std::optional<Slot> slot;
  if (keys_.size() < max_keys_) {
    slot = static_cast<Slot>(keys_.size());
    keys_.emplace_back();
  } else {
    slot = forget_one(now);
  }
  if (!slot) return nullptr;
  RatedKey& added = keys_[*slot];
  added.key = key;
  added.hash = hash_of(key);
  added.stored = {0, now};
  index_.insert(*slot);
  return &added;
}

std::optional<RateTable::Slot> RateTable::forget_one(Time now) {
  for (int i = 0; i < most_looked_at && !keys_.empty(); ++i) {
    looked_at_ = (looked_at_ + 1) % static_cast<Slot>(keys_.size());
    if (!may_be_forgotten(keys_[looked_at_], now)) continue;
    index_.erase(looked_at_);
    keys_[looked_at_] = RatedKey{};
    return looked_at_;
  }
  return std::nullopt;
}

}  // namespace hallmark::model
