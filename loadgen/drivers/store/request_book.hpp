#pragma once
#include <cstdint>

#include "loadgen/arrivals/departures.hpp"
#include "loadgen/drivers/store/decider.hpp"
#include "loadgen/results/tally.hpp"
#include "reports/load/store_load.hpp"

namespace hallmark::loadgen::store {

/// The facts about a run that a book needs.
struct BookPlan {
  bool open_loop = true;
  std::int64_t warmup_ns = 0;  ///< requests planned before are not counted
  std::int64_t timeout_ns = 0;
  std::int64_t lag_bound_ns = INT64_MAX;  ///< a request that leaves later than that is late
  DepartureLog* departures = nullptr;     ///< of an open loop; may be null
};

/// Keeps account of the requests of one connection to a store, of which one is decided at a time.
/// No store and no clock; times are nanoseconds from the origin of the run.
class RequestBook {
 public:
  explicit RequestBook(const BookPlan& plan) : plan_(plan) {}

  /// A request is due. False: its timeout is over, and it is not sent.
  bool begin(const Planned& due, std::int64_t now_ns, Tally& tally);
  /// The request that has begun is not sent, since there is no connection: `failure` says whose
  /// fault that is …
  void unconnected(Failure failure, std::string_view why, std::int64_t now_ns, Tally& tally);
  /// … or it is about to be sent, and has then ended.
  void sending(std::int64_t now_ns, Tally& tally);
  void ended(const Decided& decided, std::int64_t now_ns, Tally& tally);

  const reports::StoreCounts& counts() const noexcept { return counts_; }

 private:
  bool counted() const { return due_.at_ns >= plan_.warmup_ns; }
  /// The store had not answered the request before when this one was due.
  bool held_up() const { return free_since_ns_ > due_.at_ns; }
  void count(const Decided& decided);
  void answered(bool allowed, std::int64_t now_ns, Tally& tally);
  void lose(Failure failure, std::string_view why, std::int64_t now_ns, Tally& tally) const;

  BookPlan plan_;
  reports::StoreCounts counts_;
  Planned due_;  ///< of the request that has begun
  std::int64_t sent_ns_ = never_sent;
  std::uint64_t own_lag_ns_ = 0;
  std::int64_t free_since_ns_ = INT64_MIN;
};

/// The sum of what several threads counted.
void add(reports::StoreCounts& sum, const reports::StoreCounts& more);

}  // namespace hallmark::loadgen::store
