#pragma once
#include <bit>
#include <cstdint>
#include <vector>

#include "loadgen/arrivals/schedule.hpp"
#include "reports/load_client.hpp"

namespace hallmark::loadgen {

/// When a sample of the requests was sent, to be held against the process that was asked for.
///
/// The sample is of spans: two requests that are so many arrivals apart that what is between them
/// is wide beside the microseconds by which any client is off. In a Poisson process of a rate of
/// one, the time over m arrivals is gamma distributed with shape m; another rate is another time.
/// Memory is bounded, whatever the length of the run. Distinct requests may be recorded by
/// distinct threads at once.
class DepartureLog {
 public:
  /// `whole`: all connections are those of this process; else a span begins and ends on one.
  explicit DepartureLog(const SchedulePlan& plan, bool whole = true);

  /// Whether request `index` begins or ends a span.
  bool marks(std::uint64_t index) const noexcept {
    const std::uint64_t place = index & mask_;
    return place == 0 || place == span_;
  }

  /// For an index that is marked: it was sent `at_ns` nanoseconds after the start of the run.
  void record(std::uint64_t index, std::int64_t at_ns) noexcept {
    const std::uint64_t slot =
        2 * (index >> shift_) + ((index & mask_) == 0 ? std::uint64_t{0} : 1);
    if (slot < sent_ns_.size()) sent_ns_[slot] = at_ns;
  }

  /// Arrivals in a span.
  std::uint64_t span() const noexcept { return span_; }

  /// Once nothing is recorded any more: what of the process can be told. Of arrivals that are not
  /// Poisson, nothing.
  reports::ProcessTest test() const;

 private:
  static constexpr std::int64_t not_sent = -1;

  SchedulePlan plan_;
  std::uint64_t span_;
  unsigned shift_;
  std::uint64_t mask_;
  std::vector<std::int64_t> sent_ns_;  ///< begin and end of each span
};

}  // namespace hallmark::loadgen
