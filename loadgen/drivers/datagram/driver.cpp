#include "loadgen/drivers/datagram/driver.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "base/descriptor.hpp"
#include "loadgen/client/socket_times.hpp"

namespace hallmark::loadgen::datagram {
namespace {

/// After so many batches of one socket the others are looked at.
constexpr int most_batches_at_once = 4;
/// The interval at which a closed loop tries again a socket that refused to send, and the longest
/// time that anything waits for.
constexpr std::int64_t tick_ns = 10'000'000;
/// CLOCK_REALTIME is held against the steady clock this often.
constexpr std::int64_t clock_ns = 50'000'000;

BookPlan with_departures(BookPlan plan, EventLoop& loop) {
  plan.departures = loop.departures();
  return plan;
}

}  // namespace

Driver::Driver(EventLoop& loop, const BookPlan& plan, std::uint32_t depth,
               std::vector<Socket> sockets)
    : loop_(loop), plan_(with_departures(plan, loop)), depth_(depth), book_(plan_) {
  for (Socket& socket : sockets) {
    loop_.poller().add(socket.descriptor.get(), static_cast<std::uint32_t>(lines_.size()));
    lines_.push_back({});
    lines_.back().socket = std::move(socket.descriptor);
  }
}

void Driver::advance(std::int64_t now_ns) {
  if (now_ns >= next_clock_ns_) {
    realtime_ahead_ns_ = realtime_ahead() + loop_.origin_ns();
    next_clock_ns_ = now_ns + clock_ns;
  }
  book_.expire(now_ns, loop_.tally(), [&](std::uint32_t line) { --lines_[line].in_flight; });
  if (!plan_.open_loop && now_ns >= next_fill_ns_) fill_all(now_ns);
}

void Driver::end() {
  book_.expire_all(loop_.now(), loop_.tally());
  book_.close();
  for (Line& line : lines_) {
    const std::uint64_t dropped = receive_overflow(line.socket.get());
    trouble_.receive_overflow += std::max<std::uint64_t>(dropped, line.overflow);
  }
}

// A request that timed out may still be answered: its reply gets one more timeout to be late in.
bool Driver::waits(std::int64_t now_ns, std::int64_t last_ns) {
  if (book_.waiting() != 0) return true;
  return book_.missing() != 0 && now_ns <= last_ns + 2 * plan_.timeout_ns;
}

void Driver::plan(const Planned& due, std::int64_t now_ns) {
  const std::uint32_t line = due.connection / loop_.plan().loops;
  if (plan_.most_in_flight != 0 && lines_[line].in_flight >= plan_.most_in_flight) {
    book_.clogged(due, now_ns, due.at_ns >= loop_.plan().warmup_ns, loop_.tally());
  } else {
    plan_one(line, due, now_ns);
  }
}

bool Driver::plan_one(std::uint32_t index, const Planned& due, std::int64_t now_ns) {
  Line& line = lines_[index];
  const bool counted = due.at_ns >= loop_.plan().warmup_ns;
  const auto planned = book_.plan(due, now_ns, index, counted, line.out, loop_.tally());
  if (planned.request == nullptr) return false;
  ++line.in_flight;
  line.requests.push_back(planned.request);
  line.sizes.push_back(static_cast<std::uint16_t>(planned.size));
  if (!line.dirty) {
    line.dirty = true;
    dirty_.push_back(index);
  }
  return true;
}

// The closed loop: as many requests in flight as asked for.
void Driver::fill(std::uint32_t index, std::int64_t now_ns) {
  Line& line = lines_[index];
  if (!loop_.planning(now_ns)) return;
  const std::uint64_t socket = loop_.number() + std::uint64_t{index} * loop_.plan().loops;
  while (line.in_flight < depth_) {
    const std::uint64_t request = socket + line.sequence * loop_.plan().schedule.connections;
    if (!plan_one(index, {request, now_ns}, now_ns)) return;
    ++line.sequence;
  }
}

void Driver::fill_all(std::int64_t now_ns) {
  next_fill_ns_ = now_ns + tick_ns;
  for (std::uint32_t i = 0; i < lines_.size(); ++i) fill(i, now_ns);
}

void Driver::flush() {
  for (const std::uint32_t index : dirty_) {
    lines_[index].dirty = false;
    flush(lines_[index]);
  }
  dirty_.clear();
}

void Driver::flush(Line& line) {
  const std::uint8_t* bytes = line.out.data();
  stamped_ = 0;
  for (std::size_t done = 0; done < line.requests.size();) {
    const std::size_t sent = send_some(line, done, bytes);
    for (std::size_t i = done; i < done + sent; ++i) bytes += line.sizes[i];
    done += sent;
  }
  line.out.clear();
  line.sizes.clear();
  line.requests.clear();
}

// Sends what one call takes; returns how many requests are done with, sent or refused.
std::size_t Driver::send_some(Line& line, std::size_t done, const std::uint8_t* bytes) {
  const std::size_t count = std::min(most_in_batch, line.requests.size() - done);
  const std::int64_t now_ns = loop_.now();
  for (; stamped_ < done + count; ++stamped_) {
    book_.sending(*line.requests[stamped_], now_ns, loop_.tally());
  }
  std::size_t sent = 0;
  // An error of a datagram sent before comes up once, and nothing is sent then: tried again.
  for (int attempt = 0; attempt < 2 && sent == 0; ++attempt) {
    const int n = sending_.send(line.socket.get(), bytes, {line.sizes.data() + done, count});
    ++loop_.tally().writes;
    if (n > 0) {
      sent = static_cast<std::size_t>(n);
    } else {
      count_error(errno);
      if (errno != ECONNREFUSED && errno != EINTR) break;
    }
  }
  if (sent == 0) return refused(line, done, errno);
  for (std::size_t i = done; i < done + sent; ++i) {
    book_.sent(*line.requests[i]);
    loop_.tally().bytes_out += line.sizes[i];
  }
  loop_.tally().sent += sent;
  return sent;
}

std::size_t Driver::refused(Line& line, std::size_t done, int error) {
  // Nobody listens there, or the client's own system has no room.
  const Failure why = error == ECONNREFUSED ? Failure::refused : Failure::not_sent;
  book_.not_sent(*line.requests[done], why, base::errno_text(error), loop_.now(), loop_.tally());
  --line.in_flight;
  return 1;
}

void Driver::count_error(int error) {
  switch (error) {
    case EAGAIN: ++trouble_.would_block; break;
    case ENOBUFS: ++trouble_.no_buffers; break;
    case ECONNREFUSED: ++trouble_.refused; break;
    default: ++trouble_.other; break;
  }
}

void Driver::read(std::uint32_t index) {
  Line& line = lines_[index];
  for (int batch = 0; batch < most_batches_at_once; ++batch) {
    const int count = receiving_.receive(line.socket.get());
    ++loop_.tally().reads;
    if (count < 0) {
      if (errno != EAGAIN && errno != EINTR) count_error(errno);
      break;
    }
    const std::int64_t now_ns = loop_.now();
    for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) {
      const auto datagram = receiving_.at(i);
      loop_.tally().bytes_in += datagram.bytes.size();
      const std::int64_t system_ns =
          datagram.received_ns < 0 ? -1 : datagram.received_ns - realtime_ahead_ns_;
      const Book::Came came{datagram.bytes, datagram.cut, system_ns};
      if (book_.receive(index, came, now_ns, loop_.tally())) --line.in_flight;
    }
    line.overflow = std::max(line.overflow, receiving_.overflow());
    if (static_cast<std::size_t>(count) < most_in_batch) break;
  }
  if (!plan_.open_loop) fill(index, loop_.now());
}

std::int64_t Driver::next_advance_ns(std::int64_t now_ns) const { return now_ns + tick_ns; }

}  // namespace hallmark::loadgen::datagram
