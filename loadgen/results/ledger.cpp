#include "loadgen/results/ledger.hpp"

#include <algorithm>

namespace hallmark::loadgen {

reports::LoadCounts operator+(const reports::LoadCounts& a, const reports::LoadCounts& b) {
  return {a.planned + b.planned, a.completed + b.completed, a.timed_out + b.timed_out,
          a.shed + b.shed, a.failed + b.failed};
}

std::int64_t waited_until(Failure why, std::int64_t planned_ns, std::int64_t timeout_ns,
                          std::int64_t now_ns) noexcept {
  if (timeout_ns > INT64_MAX - std::max<std::int64_t>(0, planned_ns)) return now_ns;
  const std::int64_t deadline_ns = planned_ns + timeout_ns;
  const bool failed = count_of(why) == &reports::LoadCounts::failed;
  return failed ? deadline_ns : std::min(now_ns, deadline_ns);
}

void Ledger::blame_client(const RequestTimes& request, std::int64_t read_ns,
                          const ClientDelays& own, std::uint64_t times) {
  times *= own.stands_for;
  uncorrected_.blame_client(elapsed(request.sent_ns, read_ns), own.reading_ns, times);
  if (open_loop_)
    corrected_.blame_client(elapsed(request.planned_ns, read_ns), own.lag_ns + own.reading_ns,
                            times);
}

void Ledger::lose(Failure why, const RequestTimes& request, std::int64_t until_ns) {
  ++(counts_.*count_of(why));
  const std::uint64_t wait = elapsed(request.planned_ns, until_ns);
  if (open_loop_) corrected_.record_longer(wait);
  if (request.sent_ns != never_sent) {
    uncorrected_.record_longer(elapsed(request.sent_ns, until_ns));
  } else if (!open_loop_) {
    uncorrected_.record_longer(wait);
  }
}

void Ledger::add(const Ledger& other) {
  add(other.counts_, other.drained_, other.corrected_, other.uncorrected_);
}

void Ledger::add(const reports::LoadCounts& counts, std::uint64_t drained,
                 const CensoredHistogram& corrected, const CensoredHistogram& uncorrected) {
  counts_ = counts_ + counts;
  drained_ += drained;
  if (open_loop_) corrected_.add(corrected);
  uncorrected_.add(uncorrected);
}

void Ledger::reset() noexcept {
  plans_end_ns_ = INT64_MAX;
  counts_ = {};
  drained_ = 0;
  corrected_.reset();
  uncorrected_.reset();
}

}  // namespace hallmark::loadgen
