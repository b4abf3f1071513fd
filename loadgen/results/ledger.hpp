#pragma once
#include <cstdint>

#include "loadgen/histogram/censored_histogram.hpp"
#include "loadgen/results/failure.hpp"
#include "reports/load/load_result.hpp"

namespace hallmark::loadgen {

/// A request that was never given to the system has no actual send.
constexpr std::int64_t never_sent = INT64_MIN;

/// The times of a request, nanoseconds from the start of the run.
struct RequestTimes {
  std::int64_t planned_ns = 0;
  std::int64_t sent_ns = never_sent;
};

/// The client's own part in the latency of a request, nanoseconds.
struct ClientDelays {
  std::uint64_t lag_ns = 0;  ///< it was sent so much later than planned, not held up by the target
  std::uint64_t reading_ns = 0;  ///< its reply lay in the client's system so long
  std::uint64_t stands_for = 1;  ///< a sample was taken: so many requests
};

/// The sum of two counts.
reports::LoadCounts operator+(const reports::LoadCounts& a, const reports::LoadCounts& b);

/// The time until which a request without its right reply counts as waited for, `now_ns` being its
/// end. One that failed cannot have a reply any more, so it has none at its timeout either.
/// `timeout_ns` counts from the plan.
std::int64_t waited_until(Failure why, std::int64_t planned_ns, std::int64_t timeout_ns,
                          std::int64_t now_ns) noexcept;

/// Accounts for the requests of one part of the mix, whatever carries them: each is planned once
/// and ends once. Its end is counted and recorded in the latencies by the same call. A request
/// without a right reply is recorded as longer than it was waited for.
class Ledger {
 public:
  /// In a closed loop a request is planned when it is sent, so only one distribution is kept.
  explicit Ledger(bool open_loop = true) : open_loop_(open_loop) {
    if (!open_loop) return;
    corrected_.expect_blame();
    uncorrected_.expect_blame();
  }

  void plan(std::uint64_t times = 1) noexcept { counts_.planned += times; }

  /// Requests planned and sent at the same times, whose right replies were read at `read_ns`.
  void complete(const RequestTimes& request, std::int64_t read_ns, std::uint64_t times = 1) {
    counts_.completed += times;
    if (read_ns > plans_end_ns_) drained_ += times;
    uncorrected_.record(elapsed(request.sent_ns, read_ns), times);
    if (open_loop_) corrected_.record(elapsed(request.planned_ns, read_ns), times);
  }

  /// The client's part in the latency of requests that have been completed with the same times.
  void blame_client(const RequestTimes& request, std::int64_t read_ns, const ClientDelays& own,
                    std::uint64_t times = 1);

  /// A request that has no reply is known to be done. It has no latency.
  void complete_unanswered() noexcept { ++counts_.completed; }

  /// A request ends without the right reply, which was waited for until `until_ns`.
  void lose(Failure why, const RequestTimes& request, std::int64_t until_ns);

  /// Does the same as `lose` for a request that has no reply.
  void lose_unanswered(Failure why) noexcept { ++(counts_.*count_of(why)); }

  /// The end of planning: a request that completes later has come in the drain.
  void plan_until(std::int64_t end_ns) noexcept { plans_end_ns_ = end_ns; }

  void add(const Ledger& other);
  /// Adds what another process counted. A closed loop needs no `corrected`.
  void add(const reports::LoadCounts& counts, std::uint64_t drained,
           const CensoredHistogram& corrected, const CensoredHistogram& uncorrected);
  /// Forgets the requests, and until when they are planned.
  void reset() noexcept;

  const reports::LoadCounts& counts() const noexcept { return counts_; }
  /// Measured from the planned send.
  const CensoredHistogram& corrected() const noexcept {
    return open_loop_ ? corrected_ : uncorrected_;
  }
  /// Measured from the actual send; those that were never sent are missing.
  const CensoredHistogram& uncorrected() const noexcept { return uncorrected_; }
  bool open_loop() const noexcept { return open_loop_; }
  /// Completed after the last request was planned.
  std::uint64_t drained() const noexcept { return drained_; }

 private:
  static std::uint64_t elapsed(std::int64_t from_ns, std::int64_t to_ns) noexcept {
    return to_ns > from_ns ? static_cast<std::uint64_t>(to_ns - from_ns) : 0;
  }

  bool open_loop_;
  std::int64_t plans_end_ns_ = INT64_MAX;
  reports::LoadCounts counts_;
  std::uint64_t drained_ = 0;
  CensoredHistogram corrected_;
  CensoredHistogram uncorrected_;
};

}  // namespace hallmark::loadgen
