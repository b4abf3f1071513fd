#pragma once
#include <cstdint>
#include <vector>

#include "base/descriptor.hpp"
#include "loadgen/drivers/datagram/book.hpp"
#include "loadgen/drivers/datagram/socket.hpp"
#include "loadgen/engine/event_loop.hpp"

namespace hallmark::loadgen::datagram {

/// The sockets c with c mod loops = number.
class Driver final : public LoopDriver {
 public:
  /// `depth`: of the closed loop, requests in flight per socket.
  Driver(EventLoop& loop, const BookPlan& plan, std::uint32_t depth, std::vector<Socket> sockets);

  void plan(const Planned& due, std::int64_t now_ns) override;
  void flush() override;
  void advance(std::int64_t now_ns) override;
  std::int64_t next_advance_ns(std::int64_t now_ns) const override;
  void ready(const epoll_event& event) override { read(event.data.u32); }
  bool waits(std::int64_t now_ns, std::int64_t last_ns) override;
  void end() override;

  /// Once the loop has ended.
  const Book& book() const noexcept { return book_; }
  const reports::SocketTrouble& trouble() const noexcept { return trouble_; }

 private:
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

  void fill(std::uint32_t line, std::int64_t now_ns);
  void fill_all(std::int64_t now_ns);
  bool plan_one(std::uint32_t line, const Planned& due, std::int64_t now_ns);
  void flush(Line& line);
  std::size_t send_some(Line& line, std::size_t done, const std::uint8_t* bytes);
  std::size_t refused(Line& line, std::size_t done, int error);
  void count_error(int error);
  void read(std::uint32_t line);

  EventLoop& loop_;
  BookPlan plan_;
  std::uint32_t depth_;
  Book book_;
  SendBatch sending_;
  ReceiveBatch receiving_;
  std::vector<Line> lines_;
  std::vector<std::uint32_t> dirty_;
  std::size_t stamped_ = 0;  ///< of the line that is being sent
  reports::SocketTrouble trouble_;
  std::int64_t next_fill_ns_ = 0;
  std::int64_t realtime_ahead_ns_ = 0;  ///< of the times of this run
  std::int64_t next_clock_ns_ = INT64_MIN;
};

}  // namespace hallmark::loadgen::datagram
