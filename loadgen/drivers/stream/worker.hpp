#pragma once
#include <atomic>
#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

#include "base/descriptor.hpp"
#include "base/waker.hpp"
#include "loadgen/arrivals/schedule.hpp"
#include "loadgen/drivers/stream/connection.hpp"
#include "loadgen/drivers/stream/worker_events.hpp"
#include "loadgen/engine/poller.hpp"
#include "loadgen/results/tally_pool.hpp"

namespace hallmark::loadgen {

/// Connections that are replaced while a run lasts, as those of clients that come and go.
struct Churn {
  std::uint64_t requests = 0;  ///< of a connection, after which it is replaced; 0: no matter
  double per_second = 0;       ///< replaced of all, one after the other; 0: none
};

/// What all workers of a run share. Times are nanoseconds from `origin`.
struct WorkerPlan {
  ConnectionPlan connection;
  TallyPool* tallies = nullptr;
  std::chrono::steady_clock::time_point origin;
  /// Of the open loop; its duration includes the warm-up.
  SchedulePlan schedule;
  std::uint32_t depth = 1;  ///< of the closed loop: requests in flight per connection
  std::uint32_t workers = 1;
  std::uint32_t subscribers = 0;  ///< connections behind those of the schedule that only receive
  Churn churn = {};
  bool staged = false;  ///< ask the sockets for their times
  std::int64_t warmup_ns = 0;
  std::int64_t end_ns = 0;
  std::int64_t timeout_ns = 0;
};

/// One thread that drives the connections c with c mod workers = number: their sockets are in an
/// epoll set of its own, everything else about a run happens elsewhere.
class Worker {
 public:
  /// `sockets`: connected and non-blocking, for the connections number, number + workers, …
  Worker(const WorkerPlan& plan, std::uint32_t number, std::vector<base::Descriptor> sockets,
         WorkerEvents events);

  /// The body of the thread: returns once everything planned has ended.
  void run();

  /// From any thread: plan nothing more; what is in flight is still waited for.
  void stop() noexcept { stop_at(Stop::planning); }
  /// From any thread: wait for nothing more, either.
  void abandon() noexcept { stop_at(Stop::waiting); }
  /// From any thread: a socket for a connection that was lost, or that is to be replaced. What is
  /// in flight on one that is replaced still ends there.
  void adopt(std::uint32_t connection, base::Descriptor socket);

 private:
  enum class Stop { never, planning, waiting };

  struct Slot {
    Connection connection;
    base::Descriptor socket;
    std::uint32_t lane = 0;  ///< whose connection it is, or was
    bool blocked = false;    ///< the socket takes no more for now
    bool held_up = false;    ///< it was, since something was sent last
    bool dirty = false;      ///< has new bytes to send
    bool staged = false;     ///< its socket tells its times
    bool draining = false;   ///< another one has its place, and nothing new goes out here
    std::int64_t drained_by_ns = INT64_MAX;  ///< then what is in flight on it has timed out
    std::uint64_t requests = 0;              ///< since it was connected
  };

  /// One of the connections of this worker, whatever socket it has.
  struct Lane {
    std::uint32_t slot = 0;
    bool replacing = false;  ///< another socket has been asked for
    bool subscriber = false;
    std::uint64_t sequence = 0;  ///< of the closed loop: its next request
  };

  void stop_at(Stop stop) noexcept;
  std::int64_t now() const;
  std::uint32_t connection_of(std::uint32_t lane) const;
  std::uint32_t lane_of(std::uint32_t connection) const;
  std::uint32_t new_slot(std::uint32_t lane, base::Descriptor socket);
  bool planning(std::int64_t now_ns) const;
  bool finished(std::int64_t now_ns);
  bool anything_waits(std::int64_t now_ns) const;
  std::int64_t plans_end_ns() const;
  void take_tally();
  void plan_due(std::int64_t now_ns);
  void fill(std::uint32_t slot, std::int64_t now_ns);
  void count_requests(Slot& slot, std::uint64_t sent);
  void replace(std::uint32_t lane);
  void replace_due(std::int64_t now_ns);
  void release_drained(std::int64_t now_ns);
  void flush_dirty();
  void flush(std::uint32_t slot);
  void read(std::uint32_t slot);
  std::int64_t receive(Slot& slot, Received& at);
  void read_send_times(Slot& slot);
  void explain_slowest(const Slot& slot);
  void lose(std::uint32_t slot, Failure why, std::string_view example);
  void tick(std::int64_t now_ns);
  void report(std::int64_t now_ns);
  void hand_over(std::int64_t unobserved_since_ns, bool last);
  void take_adopted(std::int64_t now_ns);
  void handle(const epoll_event& event);
  std::int64_t wait_ns(std::int64_t now_ns) const;

  WorkerPlan plan_;
  std::uint32_t number_;
  std::uint32_t own_ = 0;  ///< connections of this worker that requests go out on
  WorkerEvents events_;
  Schedule schedule_;
  std::int64_t awake_before_ns_ = 0;  ///< a request is due
  Poller poller_;
  base::Waker waker_;
  std::vector<Lane> lanes_;
  std::deque<Slot> slots_;
  std::vector<std::uint32_t> free_slots_;
  std::uint32_t sockets_ = 0;  ///< that this worker ever had
  std::vector<std::uint32_t> draining_;
  std::vector<std::uint32_t> dirty_;
  std::vector<std::uint8_t> buffer_;
  std::unique_ptr<Tally> tally_;
  std::int64_t realtime_ahead_ns_ = 0;  ///< where staged: of the times of this run
  std::int64_t second_ = 0;
  std::int64_t next_report_ns_ = 0;
  std::int64_t next_tick_ns_ = 0;
  std::int64_t next_replaced_ns_ = INT64_MAX;
  std::uint32_t next_replaced_ = 0;  ///< lane
  std::int64_t last_delivery_ns_ = 0;
  std::int64_t stopped_at_ns_ = -1;
  std::atomic<Stop> stop_{Stop::never};
  std::mutex adopted_mutex_;
  std::vector<std::pair<std::uint32_t, base::Descriptor>> adopted_;
};

}  // namespace hallmark::loadgen
