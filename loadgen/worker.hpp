#pragma once
#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

#include "loadgen/connection.hpp"
#include "loadgen/poller.hpp"
#include "loadgen/schedule.hpp"
#include "loadgen/tally_pool.hpp"
#include "loadgen/worker_events.hpp"

namespace hallmark::loadgen {

/// What all workers of a run share. Times are nanoseconds from `origin`.
struct WorkerPlan {
  ConnectionPlan connection;
  TallyPool* tallies = nullptr;
  std::chrono::steady_clock::time_point origin;
  /// Of the open loop; its duration includes the warm-up.
  SchedulePlan schedule;
  std::uint32_t depth = 1;  ///< of the closed loop: requests in flight per connection
  std::uint32_t workers = 1;
  std::int64_t warmup_ns = 0;
  std::int64_t end_ns = 0;
  std::int64_t timeout_ns = 0;
};

/// One thread that drives the connections c with c mod workers = number: their sockets are in an
/// epoll set of its own, everything else about a run happens elsewhere.
class Worker {
 public:
  static constexpr std::int64_t second_ns = 1'000'000'000;

  /// `sockets`: connected and non-blocking, for the connections number, number + workers, …
  Worker(const WorkerPlan& plan, std::uint32_t number, std::vector<Descriptor> sockets,
         WorkerEvents events);

  /// The body of the thread: returns once everything planned has ended.
  void run();

  /// From any thread: plan nothing more; what is in flight is still waited for.
  void stop() noexcept { stop_at(Stop::planning); }
  /// From any thread: wait for nothing more, either.
  void abandon() noexcept { stop_at(Stop::waiting); }
  /// From any thread: a new socket for a connection that was lost.
  void adopt(std::uint32_t connection, Descriptor socket);

 private:
  enum class Stop { never, planning, waiting };

  struct Slot {
    Connection connection;
    Descriptor socket;
    bool blocked = false;  ///< the socket takes no more for now
    bool held_up = false;  ///< it was, since something was sent last
    bool dirty = false;    ///< has new bytes to send
    std::uint64_t sequence = 0;
  };

  void stop_at(Stop stop) noexcept;
  std::int64_t now() const;
  bool planning(std::int64_t now_ns) const;
  bool finished(std::int64_t now_ns);
  bool anything_waits() const;
  void plan_due(std::int64_t now_ns);
  void fill(std::uint32_t slot, std::int64_t now_ns);
  void flush_dirty();
  void flush(std::uint32_t slot);
  void read(std::uint32_t slot);
  void lose(std::uint32_t slot, Failure why, std::string_view example);
  void tick(std::int64_t now_ns);
  void report();
  void take_adopted();
  void handle(const epoll_event& event);
  std::int64_t wait_ns(std::int64_t now_ns) const;

  WorkerPlan plan_;
  std::uint32_t number_;
  WorkerEvents events_;
  Schedule schedule_;
  Poller poller_;
  Waker waker_;
  std::vector<Slot> slots_;
  std::vector<std::uint32_t> dirty_;
  std::vector<std::uint8_t> buffer_;
  std::unique_ptr<Tally> tally_;
  std::int64_t second_ = 0;
  std::int64_t next_report_ns_ = 0;
  std::int64_t next_tick_ns_ = 0;
  std::int64_t stopped_at_ns_ = -1;
  std::atomic<Stop> stop_{Stop::never};
  std::mutex adopted_mutex_;
  std::vector<std::pair<std::uint32_t, Descriptor>> adopted_;
};

}  // namespace hallmark::loadgen
