#pragma once
#include <cstdint>
#include <memory>
#include <string>

#include "loadgen/drivers/store/admissions.hpp"
#include "loadgen/drivers/store/decider.hpp"
#include "loadgen/drivers/store/options.hpp"
#include "loadgen/drivers/store/request_book.hpp"
#include "loadgen/engine/event_loop.hpp"
#include "loadgen/workload/workload.hpp"

namespace hallmark::loadgen::store {

/// State that all threads of a run on a store share.
struct DriverPlan {
  const StoreOptions* options = nullptr;
  const RequestChooser* chooser = nullptr;
  std::string key_prefix = {};
  std::int64_t epoch_ns = 0;  ///< the origin of the run since the epoch
  std::int64_t timeout_ns = 0;
  std::int64_t lag_bound_ns = INT64_MAX;  ///< a request that leaves later than that is late
};

/// One connection to the store. A decision waits for its reads, so a thread has one at a time.
class Driver final : public LoopDriver {
 public:
  Driver(EventLoop& loop, const DriverPlan& plan, std::unique_ptr<stores::Connection> connection,
         AdmissionLane& lane);

  /// Returns once the request has ended: within the timeout of the store.
  void plan(const Planned& due, std::int64_t now_ns) override;
  int planned_at_once() const override { return 1; }
  void advance(std::int64_t now_ns) override;
  std::int64_t next_advance_ns(std::int64_t now_ns) const override;
  void ready(const epoll_event& /*event*/) override {}
  bool waits(std::int64_t /*now_ns*/, std::int64_t /*last_ns*/) override { return false; }
  void end() override { lane_.nothing_before(INT64_MAX); }

  /// Once the loop has ended.
  const reports::StoreCounts& counts() const noexcept { return book_.counts(); }

 private:
  void request(const Planned& due, std::int64_t now_ns);
  bool connected(std::int64_t now_ns);

  EventLoop& loop_;
  DriverPlan plan_;
  std::unique_ptr<stores::Connection> connection_;
  AdmissionLane& lane_;
  RequestBook book_;
  std::uint64_t next_index_;       ///< of the closed loop
  std::int64_t reconnect_ns_ = 0;  ///< without a connection: not before
  std::string why_unconnected_;
  bool starved_ = false;  ///< this machine is why there is no connection
};

}  // namespace hallmark::loadgen::store
