#include "loadgen/worker.hpp"

#include <sys/prctl.h>
#include <sys/socket.h>

#include <algorithm>
#include <boost/system/error_code.hpp>
#include <cerrno>

namespace hallmark::loadgen {
namespace {

constexpr std::uint32_t waker_token = UINT32_MAX;
constexpr std::size_t read_bytes = std::size_t{64} << 10;
/// Timeouts are looked for this often.
constexpr std::int64_t tick_ns = 50'000'000;
/// After so many requests a worker that is behind looks at its replies again.
constexpr int most_planned_at_once = 1024;

Failure failure_of(int error) {
  if (error == ECONNRESET || error == EPIPE) return Failure::reset;
  return error == ECONNREFUSED ? Failure::refused : Failure::connection_error;
}

std::string text_of(int error) {
  return boost::system::error_code{error, boost::system::system_category()}.message();
}

}  // namespace

Worker::Worker(const WorkerPlan& plan, std::uint32_t number, std::vector<Descriptor> sockets,
               WorkerEvents events)
    : plan_(plan),
      number_(number),
      events_(std::move(events)),
      schedule_(plan.schedule, number, plan.workers),
      buffer_(read_bytes),
      tally_(plan.tallies->take()),
      second_(plan.warmup_ns > 0 ? -1 : 0),
      next_report_ns_(plan.warmup_ns + (plan.warmup_ns > 0 ? 0 : second_ns)) {
  if (next_report_ns_ >= plan_.end_ns) next_report_ns_ = INT64_MAX;
  poller_.add(waker_.fd(), waker_token);
  slots_.reserve(sockets.size());
  for (Descriptor& socket : sockets) {
    const auto slot = static_cast<std::uint32_t>(slots_.size());
    if (socket.open()) poller_.add(socket.get(), slot);
    slots_.push_back({Connection{plan.connection}, std::move(socket)});
  }
}

void Worker::run() {
  // Timers of this thread fire when asked to, not up to 50 us later.
  prctl(PR_SET_TIMERSLACK, 1UL);
  for (std::int64_t now_ns = now(); !finished(now_ns); now_ns = now()) {
    while (now_ns >= next_report_ns_) report();
    if (now_ns >= next_tick_ns_) tick(now_ns);
    if (plan_.connection.open_loop) plan_due(now_ns);
    flush_dirty();
    for (const epoll_event& event : poller_.wait(wait_ns(now()))) handle(event);
  }
  const std::int64_t end_ns = now();
  for (Slot& slot : slots_) {
    slot.connection.settle(*tally_);
    slot.connection.expire(end_ns, *tally_);
    slot.connection.lose(Failure::abandoned, "not sent when the run ended", *tally_);
  }
  events_.report(second_, std::move(tally_), true);
  events_.done(end_ns);
}

void Worker::stop_at(Stop stop) noexcept {
  stop_.store(stop, std::memory_order_relaxed);
  waker_.wake();
}

void Worker::adopt(std::uint32_t connection, Descriptor socket) {
  {
    const std::scoped_lock lock{adopted_mutex_};
    adopted_.emplace_back(connection / plan_.workers, std::move(socket));
  }
  waker_.wake();
}

std::int64_t Worker::now() const {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now() -
                                                              plan_.origin)
      .count();
}

bool Worker::planning(std::int64_t now_ns) const {
  if (stopped_at_ns_ >= 0) return false;
  return plan_.connection.open_loop ? schedule_.next().has_value() : now_ns < plan_.end_ns;
}

bool Worker::finished(std::int64_t now_ns) {
  const Stop stop = stop_.load(std::memory_order_relaxed);
  if (stop == Stop::waiting) return true;
  if (stop == Stop::planning && stopped_at_ns_ < 0) stopped_at_ns_ = now_ns;
  if (planning(now_ns)) return false;
  const std::int64_t last = stopped_at_ns_ >= 0 ? stopped_at_ns_ : plan_.end_ns;
  return now_ns >= last && (!anything_waits() || now_ns > last + plan_.timeout_ns);
}

bool Worker::anything_waits() const {
  return std::any_of(slots_.begin(), slots_.end(),
                     [](const Slot& slot) { return !slot.connection.idle(); });
}

void Worker::plan_due(std::int64_t now_ns) {
  if (stopped_at_ns_ >= 0) return;
  for (int planned = 0; planned < most_planned_at_once; ++planned) {
    const auto due = schedule_.take_due(now_ns);
    if (!due) return;
    const auto index = due->connection / plan_.workers;
    Slot& slot = slots_[index];
    const Outgoing outgoing{due->index, due->at_ns, due->at_ns >= plan_.warmup_ns};
    if (!slot.socket.open()) {
      slot.connection.not_sent(outgoing, Failure::no_connection, *tally_);
    } else if (now_ns - due->at_ns > plan_.timeout_ns) {
      slot.connection.not_sent(outgoing, Failure::late, *tally_);
    } else if (!slot.connection.request(outgoing, *tally_)) {
      slot.connection.not_sent(outgoing, Failure::backlog, *tally_);
    } else if (!slot.dirty) {
      slot.dirty = true;
      dirty_.push_back(index);
    }
  }
}

// The closed loop: as many requests in flight as asked for.
void Worker::fill(std::uint32_t index, std::int64_t now_ns) {
  Slot& slot = slots_[index];
  if (!slot.socket.open() || !planning(now_ns)) return;
  const std::uint64_t connection = number_ + std::uint64_t{index} * plan_.workers;
  const bool counted = second_ >= 0;
  while (slot.connection.waiting() < plan_.depth) {
    const std::uint64_t request = connection + slot.sequence * plan_.schedule.connections;
    if (!slot.connection.request({request, now_ns, counted}, *tally_)) break;
    ++slot.sequence;
  }
  flush(index);
}

void Worker::flush_dirty() {
  for (const std::uint32_t index : dirty_) {
    slots_[index].dirty = false;
    flush(index);
  }
  dirty_.clear();
}

void Worker::flush(std::uint32_t index) {
  Slot& slot = slots_[index];
  const auto bytes = slot.connection.unsent();
  if (bytes.empty() || slot.blocked || !slot.socket.open()) return;
  slot.connection.stamp(plan_.connection.open_loop ? now() : 0, slot.held_up, *tally_);
  slot.held_up = false;
  const ssize_t n =
      ::send(slot.socket.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
  ++tally_->writes;
  if (n < 0 && errno != EAGAIN && errno != EINTR) {
    lose(index, failure_of(errno), text_of(errno));
    return;
  }
  const auto written = n < 0 ? 0U : static_cast<std::size_t>(n);
  tally_->bytes_out += written;
  slot.connection.sent(written);
  if (written == bytes.size()) {
    slot.connection.settle(*tally_);
  } else {
    slot.blocked = slot.held_up = true;
    poller_.want_write(slot.socket.get(), index, true);
  }
}

void Worker::read(std::uint32_t index) {
  Slot& slot = slots_[index];
  const ssize_t n = ::recv(slot.socket.get(), buffer_.data(), buffer_.size(), MSG_DONTWAIT);
  ++tally_->reads;
  if (n == 0) return lose(index, Failure::closed, "the target closed the connection");
  if (n < 0) {
    if (errno != EAGAIN && errno != EINTR) lose(index, failure_of(errno), text_of(errno));
    return;
  }
  const auto bytes = static_cast<std::size_t>(n);
  tally_->bytes_in += bytes;
  const std::int64_t now_ns = now();
  if (!slot.connection.receive({buffer_.data(), bytes}, now_ns, *tally_)) {
    return lose(index, Failure::abandoned, {});
  }
  if (!plan_.connection.open_loop) fill(index, now_ns);
}

void Worker::lose(std::uint32_t index, Failure why, std::string_view example) {
  Slot& slot = slots_[index];
  slot.connection.lose(why, example, *tally_);
  poller_.remove(slot.socket.get());
  slot.socket.reset();
  slot.blocked = false;
  events_.lost(number_ + index * plan_.workers);
}

void Worker::tick(std::int64_t now_ns) {
  next_tick_ns_ = (now_ns / tick_ns + 1) * tick_ns;
  take_adopted();
  for (std::uint32_t i = 0; i < slots_.size(); ++i) {
    slots_[i].connection.expire(now_ns - plan_.timeout_ns, *tally_);
    if (!plan_.connection.open_loop) fill(i, now_ns);
  }
}

// Nothing that counts happens in the warm-up's tally: a request counts when it is planned after it.
void Worker::report() {
  events_.report(second_++, std::move(tally_), false);
  tally_ = plan_.tallies->take();
  next_report_ns_ += second_ns;
  if (next_report_ns_ >= plan_.end_ns) next_report_ns_ = INT64_MAX;
}

void Worker::take_adopted() {
  std::vector<std::pair<std::uint32_t, Descriptor>> adopted;
  {
    const std::scoped_lock lock{adopted_mutex_};
    adopted.swap(adopted_);
  }
  for (auto& [index, socket] : adopted) {
    poller_.add(socket.get(), index);
    slots_[index].socket = std::move(socket);
  }
}

void Worker::handle(const epoll_event& event) {
  const std::uint32_t index = event.data.u32;
  if (index == waker_token) {
    waker_.clear();
    next_tick_ns_ = 0;
    return;
  }
  Slot& slot = slots_[index];
  if ((event.events & EPOLLOUT) != 0 && slot.blocked) {
    slot.blocked = false;
    poller_.want_write(slot.socket.get(), index, false);
    flush(index);
  }
  if ((event.events & ~static_cast<std::uint32_t>(EPOLLOUT)) != 0 && slot.socket.open())
    read(index);
}

std::int64_t Worker::wait_ns(std::int64_t now_ns) const {
  std::int64_t until = std::min(next_tick_ns_, next_report_ns_);
  if (plan_.connection.open_loop && stopped_at_ns_ < 0 && schedule_.next()) {
    until = std::min(until, schedule_.next()->at_ns);
  }
  if (now_ns < plan_.end_ns) until = std::min(until, plan_.end_ns);
  return std::max<std::int64_t>(0, until - now_ns);
}

}  // namespace hallmark::loadgen
