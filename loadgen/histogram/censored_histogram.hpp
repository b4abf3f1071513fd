#pragma once
#include <cstdint>
#include <memory>

#include "loadgen/histogram/histogram.hpp"
#include "reports/latency.hpp"

namespace hallmark::loadgen {

/// Durations in nanoseconds, some of which are only known to be longer than something
/// (right-censored): the requests whose reply was waited for in vain.
///
/// The lower bound of a quantile takes each wait as the duration, its upper bound takes it as
/// endless. Where both lie in the same bucket the quantile is known; otherwise the lower bound is
/// told, marked as one.
class CensoredHistogram {
 public:
  /// Counts `times` durations of `value` nanoseconds.
  void record(std::uint64_t value, std::uint64_t times = 1) noexcept {
    known_.record(value, times);
  }
  /// Counts `times` durations longer than `bound` nanoseconds. The first takes memory.
  void record_longer(std::uint64_t bound, std::uint64_t times = 1);

  void add(const CensoredHistogram& other) { add(other.known(), other.waits()); }
  /// Adds durations, and the bounds of others.
  void add(const Histogram& known, const Histogram& waits);
  void reset() noexcept;

  const Histogram& known() const noexcept { return known_; }
  Histogram& known() noexcept { return known_; }
  /// The bounds, to be added to. The first call takes memory.
  Histogram& waits_to_add_to();
  /// The bounds of the durations that are not known.
  const Histogram& waits() const noexcept;
  std::uint64_t count() const noexcept { return known_.count() + waits().count(); }
  bool empty() const noexcept { return count() == 0; }

  /// The quantile `q` (0 to 1) of all durations; 0 when empty.
  reports::Quantile quantile(double q) const noexcept;
  reports::Quantile max() const noexcept;
  reports::Mean mean() const noexcept;

 private:
  Histogram known_;
  std::unique_ptr<Histogram> waits_;  ///< null as long as every duration is known
};

}  // namespace hallmark::loadgen
