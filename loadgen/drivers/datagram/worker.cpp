#include "loadgen/drivers/datagram/worker.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "base/descriptor.hpp"
#include "base/nanoseconds.hpp"
#include "loadgen/client/process.hpp"
#include "loadgen/engine/pacing.hpp"

namespace hallmark::loadgen::datagram {
namespace {

constexpr std::uint32_t waker_token = UINT32_MAX;
/// After so many requests a worker that is behind looks at its replies again …
constexpr int most_planned_at_once = 1024;
/// … and after so many batches of one socket at the others.
constexpr int most_batches_at_once = 4;
/// In a closed loop a socket that refused to send is tried again this often; and the longest that
/// anything waits for.
constexpr std::int64_t tick_ns = 10'000'000;

}  // namespace

Worker::Worker(const WorkerPlan& plan, std::uint32_t number, std::vector<Socket> sockets,
               WorkerEvents events)
    : plan_(plan),
      number_(number),
      events_(std::move(events)),
      schedule_(plan.schedule, number, plan.workers),
      awake_before_ns_(plan.book.open_loop ? awake_before_ns(plan.schedule, plan.workers) : 0),
      book_([&] {
        BookPlan book = plan.book;
        book.worker = number;
        return book;
      }()),
      second_(plan.warmup_ns > 0 ? -1 : 0),
      next_report_ns_(plan.warmup_ns + (plan.warmup_ns > 0 ? 0 : base::second_ns)) {
  take_tally();
  if (next_report_ns_ >= plan_.end_ns) next_report_ns_ = INT64_MAX;
  poller_.add(waker_.fd(), waker_token);
  for (Socket& socket : sockets) {
    poller_.add(socket.descriptor.get(), static_cast<std::uint32_t>(lines_.size()));
    lines_.push_back({});
    lines_.back().socket = std::move(socket.descriptor);
  }
}

void Worker::run() {
  if (plan_.book.open_loop) be_punctual();
  for (std::int64_t now_ns = now(); !finished(now_ns); now_ns = now()) {
    while (now_ns >= next_report_ns_) report();
    book_.expire(now_ns, *tally_, [&](std::uint32_t line) { --lines_[line].in_flight; });
    if (plan_.book.open_loop) {
      plan_due(now_ns);
    } else if (now_ns >= next_fill_ns_) {
      fill_all(now_ns);
    }
    flush_dirty();
    for (const epoll_event& event : poller_.wait(wait_ns(now()))) handle(event);
  }
  book_.expire_all(now(), *tally_);
  book_.close();
  for (Line& line : lines_) {
    const std::uint64_t dropped = receive_overflow(line.socket.get());
    trouble_.receive_overflow += std::max<std::uint64_t>(dropped, line.overflow);
  }
  events_.report(second_, std::move(tally_), true);
  events_.done(plans_end_ns());
}

void Worker::stop_at(Stop stop) noexcept {
  stop_.store(stop, std::memory_order_relaxed);
  waker_.wake();
}

std::int64_t Worker::now() const {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now() -
                                                              plan_.origin)
      .count();
}

bool Worker::planning(std::int64_t now_ns) const {
  if (stopped_at_ns_ >= 0) return false;
  return plan_.book.open_loop ? schedule_.next().has_value() : now_ns < plan_.end_ns;
}

// What timed out may still come: it is given one timeout more to be late in.
bool Worker::finished(std::int64_t now_ns) {
  const Stop stop = stop_.load(std::memory_order_relaxed);
  if (stop != Stop::never && stopped_at_ns_ < 0) {
    stopped_at_ns_ = now_ns;
    tally_->plan_until(plans_end_ns());
  }
  if (stop == Stop::waiting) return true;
  if (planning(now_ns)) return false;
  const std::int64_t last = plans_end_ns();
  if (now_ns < last || book_.waiting() != 0) return false;
  return book_.missing() == 0 || now_ns > last + 2 * plan_.book.timeout_ns;
}

/// The end of planning; replies are waited for longer.
std::int64_t Worker::plans_end_ns() const {
  return stopped_at_ns_ >= 0 ? std::min(stopped_at_ns_, plan_.end_ns) : plan_.end_ns;
}

void Worker::take_tally() {
  tally_ = plan_.tallies->take();
  tally_->plan_until(plans_end_ns());
}

void Worker::plan_due(std::int64_t now_ns) {
  if (stopped_at_ns_ >= 0) return;
  for (int i = 0; i < most_planned_at_once; ++i) {
    const auto due = schedule_.take_due(now_ns);
    if (!due) return;
    plan_one(due->connection / plan_.workers, due->index, due->at_ns, now_ns);
  }
}

bool Worker::plan_one(std::uint32_t index, std::uint64_t request, std::int64_t planned_ns,
                      std::int64_t now_ns) {
  Line& line = lines_[index];
  const bool counted = planned_ns >= plan_.warmup_ns;
  const auto planned = book_.plan(request, planned_ns, now_ns, index, counted, line.out, *tally_);
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
void Worker::fill(std::uint32_t index, std::int64_t now_ns) {
  Line& line = lines_[index];
  if (!planning(now_ns)) return;
  const std::uint64_t socket = number_ + std::uint64_t{index} * plan_.workers;
  while (line.in_flight < plan_.depth) {
    const std::uint64_t request = socket + line.sequence * plan_.schedule.connections;
    if (!plan_one(index, request, now_ns, now_ns)) return;
    ++line.sequence;
  }
}

void Worker::fill_all(std::int64_t now_ns) {
  next_fill_ns_ = now_ns + tick_ns;
  for (std::uint32_t i = 0; i < lines_.size(); ++i) fill(i, now_ns);
}

void Worker::flush_dirty() {
  for (const std::uint32_t index : dirty_) {
    lines_[index].dirty = false;
    flush(lines_[index]);
  }
  dirty_.clear();
}

void Worker::flush(Line& line) {
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
std::size_t Worker::send_some(Line& line, std::size_t done, const std::uint8_t* bytes) {
  const std::size_t count = std::min(most_in_batch, line.requests.size() - done);
  const std::int64_t now_ns = now();
  for (; stamped_ < done + count; ++stamped_) {
    book_.sending(*line.requests[stamped_], now_ns, *tally_);
  }
  std::size_t sent = 0;
  // An error of a datagram sent before comes up once, and nothing is sent then: tried again.
  for (int attempt = 0; attempt < 2 && sent == 0; ++attempt) {
    const int n = sending_.send(line.socket.get(), bytes, {line.sizes.data() + done, count});
    ++tally_->writes;
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
    tally_->bytes_out += line.sizes[i];
  }
  tally_->sent += sent;
  return sent;
}

std::size_t Worker::refused(Line& line, std::size_t done, int error) {
  book_.not_sent(*line.requests[done], base::errno_text(error), now(), *tally_);
  --line.in_flight;
  return 1;
}

void Worker::count_error(int error) {
  switch (error) {
    case EAGAIN: ++trouble_.would_block; break;
    case ENOBUFS: ++trouble_.no_buffers; break;
    case ECONNREFUSED: ++trouble_.refused; break;
    default: ++trouble_.other; break;
  }
}

void Worker::read(std::uint32_t index) {
  Line& line = lines_[index];
  for (int batch = 0; batch < most_batches_at_once; ++batch) {
    const int count = receiving_.receive(line.socket.get());
    ++tally_->reads;
    if (count < 0) {
      if (errno != EAGAIN && errno != EINTR) count_error(errno);
      break;
    }
    const std::int64_t now_ns = now();
    for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) {
      const auto datagram = receiving_.at(i);
      tally_->bytes_in += datagram.bytes.size();
      if (book_.receive(index, datagram.bytes, datagram.cut, now_ns, *tally_)) --line.in_flight;
    }
    line.overflow = std::max(line.overflow, receiving_.overflow());
    if (static_cast<std::size_t>(count) < most_in_batch) break;
  }
  if (!plan_.book.open_loop) fill(index, now());
}

void Worker::handle(const epoll_event& event) {
  if (event.data.u32 == waker_token) return waker_.clear();
  read(event.data.u32);
}

void Worker::report() {
  events_.report(second_++, std::move(tally_), false);
  take_tally();
  next_report_ns_ += base::second_ns;
  if (next_report_ns_ >= plan_.end_ns) next_report_ns_ = INT64_MAX;
}

std::int64_t Worker::wait_ns(std::int64_t now_ns) const {
  std::int64_t until = std::min(now_ns + tick_ns, next_report_ns_);
  if (plan_.book.open_loop && stopped_at_ns_ < 0 && schedule_.next()) {
    until = std::min(until, schedule_.next()->at_ns - awake_before_ns_);
  }
  if (now_ns < plan_.end_ns) until = std::min(until, plan_.end_ns);
  return std::max<std::int64_t>(0, until - now_ns);
}

}  // namespace hallmark::loadgen::datagram
