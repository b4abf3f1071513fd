#pragma once
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <vector>

#include "base/descriptor.hpp"
#include "loadgen/drivers/stream/connection.hpp"
#include "loadgen/engine/event_loop.hpp"
#include "loadgen/engine/run.hpp"

namespace hallmark::loadgen {

/// The facts that all threads of a run over streams share. Times are nanoseconds from the origin of
/// the run.
struct StreamPlan {
  ConnectionPlan connection;
  std::uint32_t depth = 1;        ///< of the closed loop: requests in flight per connection
  std::uint32_t subscribers = 0;  ///< connections behind those of the schedule that only receive
  Churn churn = {};
  bool staged = false;  ///< ask the sockets for their times
};

/// The connections of one thread: those of its loop, then its subscribers.
class StreamDriver final : public LoopDriver {
 public:
  /// Another socket is wanted for a connection, which `adopt` brings. `gone`: it has none any more,
  /// else it is to be replaced. Called by the thread of the loop.
  using Lost = std::function<void(std::uint32_t connection, bool gone)>;

  /// `sockets`: connected and non-blocking, for the connections number, number + loops, …
  StreamDriver(EventLoop& loop, const StreamPlan& plan, std::vector<base::Descriptor> sockets,
               Lost lost);

  void plan(const Planned& due, std::int64_t now_ns) override;
  void flush() override;
  void advance(std::int64_t now_ns) override;
  std::int64_t next_advance_ns(std::int64_t now_ns) const override;
  void ready(const epoll_event& event) override;
  void woken() override { next_tick_ns_ = 0; }
  bool waits(std::int64_t now_ns, std::int64_t last_ns) override;
  void end() override;
  std::int64_t unobserved_since() override;

  /// From any thread: a socket for a connection that was lost, or that is to be replaced. What is
  /// in flight on one that is replaced still ends there. One that is not open: the client has no
  /// port or no descriptor for it now.
  void adopt(std::uint32_t connection, base::Descriptor socket);

 private:
  struct Slot {
    Connection connection;
    base::Descriptor socket;
    std::uint32_t lane = 0;  ///< whose connection it is, or was
    bool blocked = false;    ///< the socket takes no more for now
    bool held_up = false;    ///< it was, since something was sent last
    bool dirty = false;      ///< has new bytes to send
    bool staged = false;     ///< its socket tells its times
    bool timed = false;      ///< its socket tells when it received
    bool draining = false;   ///< another one has its place, and nothing new goes out here
    std::int64_t drained_by_ns = INT64_MAX;  ///< then what is in flight on it has timed out
    std::uint64_t requests = 0;              ///< since it was connected
  };

  /// One of the connections of this thread, whatever socket it has.
  struct Lane {
    std::uint32_t slot = 0;
    bool replacing = false;  ///< another socket has been asked for
    bool subscriber = false;
    bool starved = false;        ///< the client has no port or no descriptor for it
    std::uint64_t sequence = 0;  ///< of the closed loop: its next request
  };

  std::uint32_t connection_of(std::uint32_t lane) const;
  std::uint32_t lane_of(std::uint32_t connection) const;
  std::uint32_t new_slot(std::uint32_t lane, base::Descriptor socket);
  bool anything_waits(std::int64_t now_ns) const;
  void fill(std::uint32_t slot, std::int64_t now_ns);
  void count_requests(Slot& slot, std::uint64_t sent);
  void replace(std::uint32_t lane);
  bool replacing(std::int64_t now_ns) const;
  void replace_due(std::int64_t now_ns);
  void release_drained(std::int64_t now_ns);
  void flush(std::uint32_t slot);
  void read(std::uint32_t slot);
  std::int64_t receive(Slot& slot, Received& at);
  std::int64_t receive_timed(Slot& slot, Received& at);
  void read_send_times(Slot& slot);
  void explain_slowest(const Slot& slot);
  void lose(std::uint32_t slot, Failure why, std::string_view example);
  void tick(std::int64_t now_ns);
  void take_adopted(std::int64_t now_ns);

  EventLoop& loop_;
  StreamPlan plan_;
  std::uint32_t loops_;
  std::uint32_t connections_;  ///< of the schedule
  std::uint32_t own_;          ///< of those, the ones of this thread
  Lost lost_;
  std::vector<Lane> lanes_;
  std::deque<Slot> slots_;
  std::vector<std::uint32_t> free_slots_;
  std::uint32_t sockets_ = 0;  ///< that this thread ever had
  std::vector<std::uint32_t> draining_;
  std::vector<std::uint32_t> dirty_;
  std::vector<std::uint8_t> buffer_;
  std::int64_t realtime_ahead_ns_ = 0;  ///< of the times of this run
  std::uint32_t reads_ = 0;
  std::int64_t next_tick_ns_ = 0;
  std::int64_t next_replaced_ns_ = INT64_MAX;
  std::uint32_t next_replaced_ = 0;  ///< lane
  std::int64_t last_delivery_ns_ = 0;
  std::mutex adopted_mutex_;
  std::vector<std::pair<std::uint32_t, base::Descriptor>> adopted_;
};

}  // namespace hallmark::loadgen
