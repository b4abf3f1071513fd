#pragma once
#include <algorithm>
#include <cstdint>

#include "reference/model/time.hpp"

namespace hallmark::model {

/// The statistics of a key that get_stats returns.
struct UseCounts {
  std::uint64_t requests = 0;  ///< uses, whether over the limit or not
  std::uint64_t over = 0;
  double last_max_rate = 0;  ///< the highest of the last bucket that is complete; 0 without a use

  friend bool operator==(const UseCounts&, const UseCounts&) = default;
};

/// Counts the uses of a key for as long as it is there, and its highest rate in buckets of five
/// minutes that start at whole multiples since the epoch.
class UseStatistics {
 public:
  static constexpr Time bucket_length = static_cast<Time>(300) * length_of(TtlUnit::seconds);

  void count(Time now, double rate, bool is_over) {
    turn_to(bucket_of(now));
    ++requests_;
    over_ += is_over ? 1 : 0;
    max_rate_ = std::max(max_rate_, rate);
  }

  UseCounts counts(Time now) {
    turn_to(bucket_of(now));
    return {requests_, over_, last_max_rate_};
  }

 private:
  static std::int64_t bucket_of(Time now) { return static_cast<std::int64_t>(now / bucket_length); }

  /// Time does not go back: an earlier bucket counts as the latest one seen.
  void turn_to(std::int64_t bucket) {
    if (bucket <= bucket_) return;
    last_max_rate_ = bucket == bucket_ + 1 ? max_rate_ : 0;
    max_rate_ = 0;
    bucket_ = bucket;
  }

  std::int64_t bucket_ = 0;
  std::uint64_t requests_ = 0;
  std::uint64_t over_ = 0;
  double max_rate_ = 0;
  double last_max_rate_ = 0;
};

}  // namespace hallmark::model
