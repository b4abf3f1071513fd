#pragma once
#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "base/waker.hpp"
#include "loadgen/arrivals/schedule.hpp"
#include "loadgen/drivers/store/admissions.hpp"
#include "loadgen/drivers/store/decider.hpp"
#include "loadgen/drivers/store/options.hpp"
#include "loadgen/drivers/stream/worker_events.hpp"
#include "loadgen/engine/poller.hpp"
#include "loadgen/results/tally_pool.hpp"
#include "loadgen/workload/workload.hpp"

namespace hallmark::loadgen::store {

/// What all workers of a run share. Times are nanoseconds from `origin`.
struct WorkerPlan {
  const StoreOptions* options = nullptr;
  const RequestChooser* chooser = nullptr;
  std::string key_prefix = {};
  TallyPool* tallies = nullptr;
  std::chrono::steady_clock::time_point origin;
  std::int64_t epoch_ns = 0;  ///< what `origin` is since the epoch
  SchedulePlan schedule;      ///< of the open loop; its duration includes the warm-up
  bool open_loop = true;
  std::uint32_t workers = 1;
  std::int64_t warmup_ns = 0;
  std::int64_t end_ns = 0;
  std::int64_t timeout_ns = 0;
};

/// One thread with one connection to the store: a decision waits for its reads, so it has one at a
/// time.
class Worker {
 public:
  Worker(const WorkerPlan& plan, std::uint32_t number,
         std::unique_ptr<stores::Connection> connection, AdmissionLane& lane, WorkerEvents events);

  /// The body of the thread.
  void run();

  /// From any thread: plan nothing more. What is being decided ends within the store's timeout.
  void stop() noexcept;

  /// Once run() has returned.
  const reports::StoreCounts& counts() const noexcept { return counts_; }

 private:
  std::int64_t now() const;
  bool over(std::int64_t now_ns) const;
  void step(std::int64_t now_ns);
  void request(std::uint64_t index, std::int64_t planned_ns, std::int64_t now_ns);
  bool connected(std::int64_t now_ns);
  void count(const Decided& decided, const RequestTimes& request);
  void count_answer(bool allowed, const RequestTimes& request);
  void count_failure(const Decided& decided, const RequestTimes& request);
  void lose(Failure failure, std::string_view why, const RequestTimes& request);
  void take_tally();
  void wait_until(std::int64_t at_ns);
  void report();

  WorkerPlan plan_;
  std::uint32_t number_;
  std::unique_ptr<stores::Connection> connection_;
  AdmissionLane& lane_;
  WorkerEvents events_;
  Schedule schedule_;
  std::uint64_t next_index_;  ///< of the closed loop
  Poller poller_;
  base::Waker waker_;
  std::unique_ptr<Tally> tally_;
  reports::StoreCounts counts_;
  std::int64_t second_;
  std::int64_t next_report_ns_;
  std::int64_t reconnect_ns_ = 0;  ///< without a connection: not before
  std::string why_unconnected_;
  std::atomic<bool> stopped_{false};
};

/// The sum of what several workers counted.
void add(reports::StoreCounts& sum, const reports::StoreCounts& more);

}  // namespace hallmark::loadgen::store
