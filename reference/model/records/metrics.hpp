#pragma once
#include <cstdint>

namespace hallmark::model {

/// Counts events and what one full minute brought. The minute tick is lazy: each meter is stamped
/// with the minute it was last brought up to date, so a tick touches no meter that nobody uses.
class Meter {
 public:
  /// Adds `amount` in `minute`.
  void add(std::uint64_t amount, std::uint64_t minute) {
    bring_to(minute);
    total_ += amount;
  }

  /// Everything counted so far.
  std::uint64_t total() const { return total_; }

  /// Returns the count at the beginning of `minute`: the total of a metric that moves once a
  /// minute.
  std::uint64_t settled(std::uint64_t minute) const {
    return minute == minute_ ? settled_ : total_;
  }

  /// Returns the count of the last full minute before `minute`.
  std::uint64_t per_minute(std::uint64_t minute) const {
    if (minute == minute_) return last_minute_;
    return minute == minute_ + 1 ? total_ - settled_ : 0;
  }

 private:
  void bring_to(std::uint64_t minute) {
    if (minute == minute_) return;
    last_minute_ = per_minute(minute);
    settled_ = total_;
    minute_ = minute;
  }

  std::uint64_t total_ = 0;
  std::uint64_t settled_ = 0;
  std::uint64_t last_minute_ = 0;
  std::uint64_t minute_ = 0;
};

/// The metrics of one key that STAT shows.
struct KeyMetrics {
  std::uint64_t reads_per_minute = 0;
  std::uint64_t writes_per_minute = 0;
  std::uint64_t reads = 0;
  std::uint64_t writes = 0;

  friend bool operator==(const KeyMetrics&, const KeyMetrics&) = default;
};

}  // namespace hallmark::model
