#pragma once
#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "base/descriptor.hpp"
#include "base/waker.hpp"
#include "loadgen/arrivals/schedule.hpp"
#include "loadgen/drivers/datagram/book.hpp"
#include "loadgen/drivers/datagram/socket.hpp"
#include "loadgen/drivers/stream/worker_events.hpp"
#include "loadgen/engine/poller.hpp"
#include "loadgen/results/tally_pool.hpp"

namespace hallmark::loadgen::datagram {

/// What all workers of a run share. Times are nanoseconds from `origin`.
struct WorkerPlan {
  BookPlan book;
  TallyPool* tallies = nullptr;
  std::chrono::steady_clock::time_point origin;
  SchedulePlan schedule;    ///< of the open loop; its duration includes the warm-up
  std::uint32_t depth = 1;  ///< of the closed loop: requests in flight per socket
  std::uint32_t workers = 1;
  std::int64_t warmup_ns = 0;
  std::int64_t end_ns = 0;
};

/// One thread that drives the sockets c with c mod workers = number.
class Worker {
 public:
  Worker(const WorkerPlan& plan, std::uint32_t number, std::vector<Socket> sockets,
         WorkerEvents events);

  /// The body of the thread: returns once everything planned has ended, and what was lost has had
  /// one more timeout to come late.
  void run();

  /// From any thread: plan nothing more …
  void stop() noexcept { stop_at(Stop::planning); }
  /// … and wait for nothing more, either.
  void abandon() noexcept { stop_at(Stop::waiting); }

  /// Once run() has returned.
  const Book& book() const noexcept { return book_; }
  const reports::SocketTrouble& trouble() const noexcept { return trouble_; }

 private:
  enum class Stop { never, planning, waiting };

  struct Line {
    base::Descriptor socket;
    protocol::ByteBuffer out;  ///< datagrams to be sent, one behind the other
    std::vector<std::uint16_t> sizes;
    std::vector<Request*> requests;
    std::uint64_t sequence = 0;
    std::uint32_t in_flight = 0;
    std::uint32_t overflow = 0;
    bool dirty = false;
  };

  void stop_at(Stop stop) noexcept;
  std::int64_t now() const;
  bool planning(std::int64_t now_ns) const;
  bool finished(std::int64_t now_ns);
  std::int64_t plans_end_ns() const;
  void take_tally();
  void plan_due(std::int64_t now_ns);
  void fill(std::uint32_t line, std::int64_t now_ns);
  void fill_all(std::int64_t now_ns);
  bool plan_one(std::uint32_t line, std::uint64_t index, std::int64_t planned_ns,
                std::int64_t now_ns);
  void flush_dirty();
  void flush(Line& line);
  std::size_t send_some(Line& line, std::size_t done, const std::uint8_t* bytes);
  std::size_t refused(Line& line, std::size_t done, int error);
  void count_error(int error);
  void read(std::uint32_t line);
  void handle(const epoll_event& event);
  void report();
  std::int64_t wait_ns(std::int64_t now_ns) const;

  WorkerPlan plan_;
  std::uint32_t number_;
  WorkerEvents events_;
  Schedule schedule_;
  std::int64_t awake_before_ns_ = 0;  ///< a request is due
  Book book_;
  Poller poller_;
  base::Waker waker_;
  SendBatch sending_;
  ReceiveBatch receiving_;
  std::vector<Line> lines_;
  std::vector<std::uint32_t> dirty_;
  std::size_t stamped_ = 0;  ///< of the line that is being sent
  reports::SocketTrouble trouble_;
  std::unique_ptr<Tally> tally_;
  std::int64_t second_ = 0;
  std::int64_t next_report_ns_ = 0;
  std::int64_t next_fill_ns_ = 0;
  std::int64_t stopped_at_ns_ = -1;
  std::atomic<Stop> stop_{Stop::never};
};

}  // namespace hallmark::loadgen::datagram
