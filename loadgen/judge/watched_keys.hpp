#pragma once
#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

#include "loadgen/workload/operations.hpp"

namespace hallmark::loadgen {

/// The keys whose requests are all observed, so that their histories can be judged: the same few of
/// each kind for all workers. Which they are follows from their numbers alone.
///
/// A key that is used without a pause is never at rest, and its history is never short enough to be
/// judged: it is watched for its first `most_waiting` requests, and from then on not any more.
class WatchedKeys {
 public:
  /// The number of requests on a key that may wait to be judged.
  static constexpr std::int64_t most_waiting = 10'000;

  /// At most `wanted` of the `keys` of each kind; 0: none.
  WatchedKeys(std::uint32_t keys, std::uint32_t wanted) {
    if (wanted == 0) return;
    while ((keys + mask_) / (mask_ + 1) > wanted) mask_ = 2 * mask_ + 1;
    per_kind_ = (keys + mask_) / (mask_ + 1);
    slots_ = std::vector<Slot>(std::size_t{per_kind_} * std::size(key_spaces));
  }

  /// Most keys are not; of those with none of these bits, `watch` decides.
  std::uint32_t mask() const noexcept { return mask_; }
  bool may_be(std::uint32_t key) const noexcept { return (key & mask_) == 0; }

  /// Returns true if the request is to be observed. It is sent at `at_ns` or later, on a key that
  /// may be watched.
  bool watch(KeySpace kind, std::uint32_t key, std::int64_t at_ns) noexcept {
    if (slots_.empty() || kind == KeySpace::none) return false;
    const std::size_t at = slot_of(kind, key);
    Slot& slot = slots_[at];
    if (slot.room.fetch_sub(1, std::memory_order_relaxed) > 0 &&
        slot.until_ns.load(std::memory_order_relaxed) == INT64_MAX)
      return true;
    watch_until(at, at_ns);
    return false;
  }

  /// Says that the requests on a key are not all observed from then on.
  void watch_until(std::size_t slot, std::int64_t at_ns) noexcept {
    std::int64_t until = slots_[slot].until_ns.load(std::memory_order_relaxed);
    while (at_ns < until &&
           !slots_[slot].until_ns.compare_exchange_weak(until, at_ns, std::memory_order_relaxed)) {
    }
  }

  std::size_t size() const noexcept { return slots_.size(); }
  /// The slot of a watched key, below `size()`.
  std::size_t slot_of(KeySpace kind, std::uint32_t key) const noexcept {
    const auto of_kind = static_cast<std::size_t>(kind) - 1;
    return of_kind * per_kind_ + key / (mask_ + 1);
  }
  KeySpace kind_of(std::size_t slot) const noexcept {
    return static_cast<KeySpace>(slot / per_kind_ + 1);
  }
  std::uint32_t key_of(std::size_t slot) const noexcept {
    return static_cast<std::uint32_t>(slot % per_kind_) * (mask_ + 1);
  }

  /// Says that so many requests of that key wait no more.
  void judged(std::size_t slot, std::size_t requests) noexcept {
    slots_[slot].room.fetch_add(static_cast<std::int64_t>(requests), std::memory_order_relaxed);
  }
  /// Requests that were sent from then on are not all observed; INT64_MAX: they are.
  std::int64_t watched_until_ns(std::size_t slot) const noexcept {
    return slots_[slot].until_ns.load(std::memory_order_relaxed);
  }

 private:
  static_assert(static_cast<int>(KeySpace::none) == 0, "kinds with keys are numbered from 1");

  struct Slot {
    std::atomic<std::int64_t> room{most_waiting};
    std::atomic<std::int64_t> until_ns{INT64_MAX};
  };

  std::uint32_t mask_ = 0;
  std::uint32_t per_kind_ = 0;
  std::vector<Slot> slots_;
};

}  // namespace hallmark::loadgen
