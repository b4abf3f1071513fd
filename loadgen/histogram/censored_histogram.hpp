#pragma once
#include <cstdint>
#include <memory>

#include "loadgen/histogram/histogram.hpp"
#include "reports/load/latency.hpp"

namespace hallmark::loadgen {

/// Durations in nanoseconds, some of which are only known to be longer than something
/// (right-censored): the requests whose reply was waited for in vain.
///
/// The lower bound of a quantile takes each wait as the duration, its upper bound takes it as
/// endless. Where both lie in the same bucket the quantile is known; otherwise the lower bound is
/// told, marked as one.
///
/// A part of each duration may be the client's own doing. Of each quantile, of the maximum and of
/// the mean it is told how much lower they would be without these parts. Where that is more than a
/// tenth they are marked.
class CensoredHistogram {
 public:
  /// A part of a duration that is not above one in so many is not noted.
  static constexpr std::uint64_t least_part = 128;

  /// Durations of which the client's part is noted, with that part and without it.
  struct Blamed {
    Histogram with;
    Histogram without;
  };

  /// Counts `times` durations of `value` nanoseconds.
  void record(std::uint64_t value, std::uint64_t times = 1) noexcept {
    known_.record(value, times);
  }
  /// Takes the memory for what the client is blamed for now, so that no request waits for it later.
  void expect_blame() {
    if (blamed_ == nullptr) blamed_ = std::make_unique<Blamed>();
  }
  /// Blames the client for `own` ns of each of `times` durations of `value` that have been
  /// recorded.
  void blame_client(std::uint64_t value, std::uint64_t own, std::uint64_t times = 1) {
    if (own > value / least_part) note_client(value, own, times);
  }
  /// Counts `times` durations longer than `bound` nanoseconds. The first takes memory.
  void record_longer(std::uint64_t bound, std::uint64_t times = 1);

  void add(const CensoredHistogram& other);
  /// Adds durations, and the bounds of others.
  void add(const Histogram& known, const Histogram& waits);
  void reset() noexcept;

  const Histogram& known() const noexcept { return known_; }
  Histogram& known() noexcept { return known_; }
  /// The bounds, to be added to. The first call takes memory.
  Histogram& waits_to_add_to();
  /// Null if the client is not blamed for any.
  const Blamed* blamed() const noexcept {
    return blamed_ == nullptr || blamed_->with.empty() ? nullptr : blamed_.get();
  }
  /// The delays that the client is blamed for, to be added to. The first call takes memory.
  Blamed& blamed_to_add_to() {
    expect_blame();
    return *blamed_;
  }
  /// The bounds of the durations that are not known.
  const Histogram& waits() const noexcept;
  std::uint64_t count() const noexcept { return known_.count() + waits().count(); }
  bool empty() const noexcept { return count() == 0; }

  /// The quantile `q` (0 to 1) of all durations; 0 when empty.
  reports::Quantile quantile(double q) const noexcept;
  reports::Quantile max() const noexcept;
  reports::Mean mean() const noexcept;

  /// Returns what is told of a quantile of that rank that is in `bucket`: `known` of the durations
  /// up to that bucket are known, the others are waits. `longest_known`, `longest_wait`: of all
  /// buckets; 0 if there is none.
  static reports::Quantile told(std::uint64_t rank, std::size_t bucket, std::uint64_t known,
                                std::uint64_t longest_known, std::uint64_t longest_wait) noexcept;

 private:
  void note_client(std::uint64_t value, std::uint64_t own, std::uint64_t times);
  reports::Quantile known_or_bound(double q) const noexcept;
  /// Says of `quantile`, which is the value at that rank, how much of it is the client's.
  void tell_client_part(std::uint64_t rank, reports::Quantile& quantile) const noexcept;
  Histogram known_;
  std::unique_ptr<Histogram> waits_;  ///< null as long as every duration is known
  std::unique_ptr<Blamed> blamed_;    ///< null as long as the client is not blamed
};

}  // namespace hallmark::loadgen
