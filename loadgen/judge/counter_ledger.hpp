#pragma once
#include <atomic>
#include <cstdint>
#include <map>
#include <mutex>
#include <vector>

namespace hallmark::loadgen {

/// Counts by how much each counter was moved: what was added and taken away has to show at the end.
/// Used by all workers.
class CounterLedger {
 public:
  explicit CounterLedger(std::uint32_t keys) : moved_(keys) {}

  /// A request that moves the quota of a key by `by`, which is not 0, succeeded.
  void moved(std::uint32_t key, std::int64_t by) noexcept {
    Moved& of_key = moved_[key];
    const auto amount = static_cast<std::uint32_t>(by < 0 ? -by : by);
    (by < 0 ? of_key.down : of_key.up).fetch_add(amount, std::memory_order_relaxed);
  }
  /// Nobody knows what became of such a request.
  void lost(std::uint32_t key, std::int64_t by);

  /// The range of a quota that was `first`, both ends included.
  struct Range {
    std::int64_t least = 0;
    std::int64_t most = 0;
  };
  Range range_of(std::uint32_t key, std::int64_t first) const;

  /// How far a counter was moved, and how far it may have been moved besides.
  struct Entry {
    std::uint32_t key = 0;
    std::uint32_t up = 0, down = 0;
    Range lost = {};
  };
  /// The counters that were moved, or may have been, by key.
  std::vector<Entry> entries() const;
  /// The most that may have been added to a counter, or taken away, by requests that got lost.
  static constexpr std::int64_t most_lost = std::int64_t{1} << 48;
  /// Adds by how much another process moved a counter. Returns false, and adds nothing, if there is
  /// no such key or if more got lost than `most_lost`.
  bool add(const Entry& entry);

  /// Returns true if, in some order of the moves, the quota would have left the range from 0 to
  /// `limit`.
  bool may_have_met_an_end(std::uint32_t key, std::int64_t first, std::int64_t limit) const;

 private:
  struct Moved {
    std::atomic<std::uint32_t> up{0};
    std::atomic<std::uint32_t> down{0};
  };

  Range lost_of(std::uint32_t key) const;

  std::vector<Moved> moved_;
  mutable std::mutex mutex_;
  std::map<std::uint32_t, Range> lost_;  ///< by key: what may have been taken away, and added
};

}  // namespace hallmark::loadgen
