#pragma once
#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "loadgen/arrivals/schedule.hpp"
#include "reports/load/load_client.hpp"

namespace hallmark::loadgen {

/// When a sample of the requests of one schedule was sent, to be held against the process that was
/// asked for. Requests are told by their ordinals in the schedule.
///
/// The sample is of spans: two requests that are so many arrivals apart that what is between them
/// is wide beside the microseconds by which any client is off. In a Poisson process of a rate of
/// one, the time over m arrivals is gamma distributed with shape m; another rate is another time.
/// Memory is bounded, whatever the length of the run.
class DepartureLog {
 public:
  /// `share`: of the connections, and so of the rate, that the schedule has; above 0, at most 1.
  explicit DepartureLog(const SchedulePlan& plan, double share = 1);

  /// True if that request begins or ends a span.
  bool marks(std::uint64_t ordinal) const noexcept {
    const std::uint64_t place = ordinal & mask_;
    return place == 0 || place == span_;
  }

  /// Records that a request, which is marked, was sent `at_ns` nanoseconds after the start of the
  /// run.
  void record(std::uint64_t ordinal, std::int64_t at_ns) noexcept {
    const std::uint64_t slot =
        2 * (ordinal >> shift_) + ((ordinal & mask_) == 0 ? std::uint64_t{0} : 1);
    if (slot < sent_ns_.size()) sent_ns_[slot] = at_ns;
  }

  /// Arrivals in a span.
  std::uint64_t span() const noexcept { return span_; }

  /// The place of the time over each span in its distribution: uniform in 0 to 1 if the process is
  /// the one that was asked for. Empty if the arrivals are not Poisson.
  std::vector<double> uniform() const;

 private:
  static constexpr std::int64_t not_sent = -1;

  SchedulePlan plan_;
  double share_;
  std::uint64_t span_;
  unsigned shift_;
  std::uint64_t mask_;
  std::vector<std::int64_t> sent_ns_;  ///< begin and end of each span
};

/// The test of all of them together, once nothing is recorded any more.
reports::ProcessTest test_of(std::span<const DepartureLog* const> logs);

}  // namespace hallmark::loadgen
