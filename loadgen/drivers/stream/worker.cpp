#include "loadgen/drivers/stream/worker.hpp"

#include <sys/socket.h>

#include <algorithm>
#include <boost/system/error_code.hpp>
#include <cerrno>

#include "base/nanoseconds.hpp"
#include "loadgen/client/process.hpp"
#include "loadgen/client/socket_times.hpp"
#include "loadgen/engine/pacing.hpp"

namespace hallmark::loadgen {
namespace {

constexpr std::uint32_t waker_token = UINT32_MAX;
constexpr std::size_t read_bytes = std::size_t{64} << 10;
/// Timeouts are looked for this often.
constexpr std::int64_t tick_ns = 50'000'000;
/// After so many requests a worker that is behind looks at its replies again.
constexpr int most_planned_at_once = 1024;
/// When no publication has come for so long, none is waited for any more.
constexpr std::int64_t quiet_ns = 100'000'000;

Failure failure_of(int error) {
  if (error == ECONNRESET || error == EPIPE) return Failure::reset;
  return error == ECONNREFUSED ? Failure::refused : Failure::connection_error;
}

std::string text_of(int error) {
  return boost::system::error_code{error, boost::system::system_category()}.message();
}

}  // namespace

Worker::Worker(const WorkerPlan& plan, std::uint32_t number, std::vector<base::Descriptor> sockets,
               WorkerEvents events)
    : plan_(plan),
      number_(number),
      own_((plan.schedule.connections - number + plan.workers - 1) / plan.workers),
      events_(std::move(events)),
      schedule_(plan.schedule, number, plan.workers),
      awake_before_ns_(plan.connection.open_loop ? awake_before_ns(plan.schedule, plan.workers)
                                                 : 0),
      buffer_(read_bytes),
      second_(plan.warmup_ns > 0 ? -1 : 0),
      next_report_ns_(plan.warmup_ns + (plan.warmup_ns > 0 ? 0 : base::second_ns)) {
  take_tally();
  if (next_report_ns_ >= plan_.end_ns) next_report_ns_ = INT64_MAX;
  poller_.add(waker_.fd(), waker_token);
  for (base::Descriptor& socket : sockets) {
    const auto lane = static_cast<std::uint32_t>(lanes_.size());
    lanes_.push_back({.subscriber = lane >= own_});
    lanes_[lane].slot = new_slot(lane, std::move(socket));
  }
  if (plan.churn.per_second > 0) next_replaced_ns_ = 0;
}

std::uint32_t Worker::connection_of(std::uint32_t lane) const {
  if (lane < own_) return number_ + lane * plan_.workers;
  return plan_.schedule.connections + number_ + (lane - own_) * plan_.workers;
}

std::uint32_t Worker::lane_of(std::uint32_t connection) const {
  if (connection < plan_.schedule.connections) return connection / plan_.workers;
  return own_ + (connection - plan_.schedule.connections) / plan_.workers;
}

/// A place for a socket, which need not be open.
std::uint32_t Worker::new_slot(std::uint32_t lane, base::Descriptor socket) {
  const bool staged = plan_.staged && socket.open() && ask_for_times(socket.get());
  const std::uint32_t client = number_ + plan_.workers * sockets_++;
  Slot slot{.connection = Connection{plan_.connection, connection_of(lane), staged, client},
            .socket = std::move(socket),
            .lane = lane,
            .staged = staged};
  auto number = static_cast<std::uint32_t>(slots_.size());
  if (free_slots_.empty()) {
    slots_.push_back(std::move(slot));
  } else {
    number = free_slots_.back();
    free_slots_.pop_back();
    slots_[number] = std::move(slot);
  }
  if (slots_[number].socket.open()) poller_.add(slots_[number].socket.get(), number);
  return number;
}

void Worker::run() {
  if (plan_.connection.open_loop) be_punctual();
  for (std::int64_t now_ns = now(); !finished(now_ns); now_ns = now()) {
    while (now_ns >= next_report_ns_) report(now_ns);
    if (now_ns >= next_tick_ns_) tick(now_ns);
    if (plan_.connection.open_loop) plan_due(now_ns);
    if (now_ns >= next_replaced_ns_) replace_due(now_ns);
    flush_dirty();
    for (const epoll_event& event : poller_.wait(wait_ns(now()))) handle(event);
  }
  for (Slot& slot : slots_) {
    slot.connection.settle(*tally_);
    slot.connection.expire_all(now(), *tally_);
    slot.connection.lose(Failure::abandoned, "not sent when the run ended", now(), *tally_);
  }
  hand_over(INT64_MAX, true);
  events_.done(plans_end_ns());
}

void Worker::stop_at(Stop stop) noexcept {
  stop_.store(stop, std::memory_order_relaxed);
  waker_.wake();
}

void Worker::adopt(std::uint32_t connection, base::Descriptor socket) {
  {
    const std::scoped_lock lock{adopted_mutex_};
    adopted_.emplace_back(lane_of(connection), std::move(socket));
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
  if (stop != Stop::never && stopped_at_ns_ < 0) {
    stopped_at_ns_ = now_ns;
    tally_->plan_until(plans_end_ns());
  }
  if (stop == Stop::waiting) return true;
  if (planning(now_ns)) return false;
  const std::int64_t last = plans_end_ns();
  return now_ns >= last && (!anything_waits(now_ns) || now_ns > last + plan_.timeout_ns);
}

bool Worker::anything_waits(std::int64_t now_ns) const {
  if (lanes_.size() > own_ && now_ns < last_delivery_ns_ + quiet_ns) return true;
  return std::any_of(slots_.begin(), slots_.end(),
                     [](const Slot& slot) { return !slot.connection.idle(); });
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
  for (int planned = 0; planned < most_planned_at_once; ++planned) {
    const auto due = schedule_.take_due(now_ns);
    if (!due) return;
    const std::uint32_t index = lanes_[due->connection / plan_.workers].slot;
    Slot& slot = slots_[index];
    const Outgoing outgoing{due->index, due->at_ns, due->at_ns >= plan_.warmup_ns};
    if (!slot.socket.open()) {
      slot.connection.not_sent(outgoing, Failure::no_connection, now_ns, *tally_);
    } else if (now_ns - due->at_ns > plan_.timeout_ns) {
      slot.connection.not_sent(outgoing, Failure::late, now_ns, *tally_);
    } else if (!slot.connection.request(outgoing, *tally_)) {
      slot.connection.not_sent(outgoing, Failure::backlog, now_ns, *tally_);
    } else {
      if (!slot.dirty) dirty_.push_back(index);
      slot.dirty = true;
      count_requests(slot, 1);
    }
  }
}

void Worker::count_requests(Slot& slot, std::uint64_t sent) {
  const std::uint64_t most = plan_.churn.requests;
  const bool was_below = slot.requests < most;
  slot.requests += sent;
  if (was_below && slot.requests >= most) replace(slot.lane);
}

void Worker::replace(std::uint32_t lane) {
  if (lanes_[lane].replacing || stopped_at_ns_ >= 0) return;
  lanes_[lane].replacing = true;
  events_.lost(connection_of(lane), false);
}

/// One connection after the other, each worker those of its own.
void Worker::replace_due(std::int64_t now_ns) {
  const double share = plan_.churn.per_second * own_ / plan_.schedule.connections;
  const auto pause_ns = static_cast<std::int64_t>(static_cast<double>(base::second_ns) / share);
  if (next_replaced_ns_ != 0) {
    replace(next_replaced_);
    next_replaced_ = (next_replaced_ + 1) % own_;
  }
  next_replaced_ns_ = std::max(next_replaced_ns_, now_ns - base::second_ns) + pause_ns;
}

/// Sockets that were replaced, and on which nothing waits any more.
void Worker::release_drained(std::int64_t now_ns) {
  std::erase_if(draining_, [&](std::uint32_t index) {
    Slot& slot = slots_[index];
    const bool idle = slot.connection.idle() || now_ns > slot.drained_by_ns;
    if (slot.socket.open() && !idle) return false;
    slot.connection.lose(Failure::timeout, {}, now_ns, *tally_);
    if (slot.socket.open()) poller_.remove(slot.socket.get());
    slot.socket.reset();
    free_slots_.push_back(index);
    return true;
  });
}

// The closed loop: as many requests in flight as asked for.
void Worker::fill(std::uint32_t index, std::int64_t now_ns) {
  Slot& slot = slots_[index];
  Lane& lane = lanes_[slot.lane];
  if (!slot.socket.open() || slot.draining || lane.subscriber || !planning(now_ns)) return;
  const std::uint64_t connection = connection_of(slot.lane);
  const bool counted = second_ >= 0;
  const std::uint64_t stride = plan_.schedule.connections;
  const Outgoing next{connection + lane.sequence * stride, now_ns, counted};
  const std::uint64_t sent = slot.connection.fill(next, stride, plan_.depth, *tally_);
  lane.sequence += sent;
  count_requests(slot, sent);
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

/// As recv(2), with the times of the bytes.
std::int64_t Worker::receive(Slot& slot, Received& at) {
  if (!slot.staged) {
    const ssize_t n = ::recv(slot.socket.get(), buffer_.data(), buffer_.size(), MSG_DONTWAIT);
    at.read_ns = now();
    return n;
  }
  read_send_times(slot);
  const TimedRead timed = read_with_time(slot.socket.get(), buffer_);
  at.read_ns = now();
  if (timed.received_ns >= 0) at.kernel_ns = timed.received_ns - realtime_ahead_ns_;
  return timed.bytes;
}

void Worker::read_send_times(Slot& slot) {
  while (const auto note = next_sent_note(slot.socket.get())) {
    if (note->sent_ns >= 0)
      slot.connection.kernel_sent(note->last_byte, note->sent_ns - realtime_ahead_ns_);
  }
}

void Worker::read(std::uint32_t index) {
  Slot& slot = slots_[index];
  Received at;
  const std::int64_t n = receive(slot, at);
  ++tally_->reads;
  if (n == 0) return lose(index, Failure::closed, "the target closed the connection");
  if (n < 0) {
    if (errno != EAGAIN && errno != EINTR) lose(index, failure_of(errno), text_of(errno));
    return;
  }
  const auto bytes = static_cast<std::size_t>(n);
  tally_->bytes_in += bytes;
  if (lanes_[slot.lane].subscriber) last_delivery_ns_ = at.read_ns;
  if (!slot.connection.receive({buffer_.data(), bytes}, at, *tally_)) {
    return lose(index, Failure::abandoned, {});
  }
  if (tally_->slowest.any_fresh()) explain_slowest(slot);
  if (!plan_.connection.open_loop) fill(index, at.read_ns);
}

/// Those among the slowest whose replies have just been read.
void Worker::explain_slowest(const Slot& slot) {
  tally_->slowest.explain(tcp_state(slot.socket.get()));
}

void Worker::lose(std::uint32_t index, Failure why, std::string_view example) {
  Slot& slot = slots_[index];
  slot.connection.lose(why, example, now(), *tally_);
  poller_.remove(slot.socket.get());
  slot.socket.reset();
  slot.blocked = false;
  if (slot.draining || lanes_[slot.lane].replacing) return;
  lanes_[slot.lane].replacing = true;
  events_.lost(connection_of(slot.lane), true);
}

void Worker::tick(std::int64_t now_ns) {
  next_tick_ns_ = (now_ns / tick_ns + 1) * tick_ns;
  if (plan_.staged) {
    const std::chrono::nanoseconds origin = plan_.origin.time_since_epoch();
    realtime_ahead_ns_ = realtime_ahead() + origin.count();
  }
  take_adopted(now_ns);
  release_drained(now_ns);
  for (std::uint32_t i = 0; i < slots_.size(); ++i) {
    slots_[i].connection.expire(now_ns, *tally_);
    if (!plan_.connection.open_loop) fill(i, now_ns);
  }
}

// Nothing that counts happens in the warm-up's tally: a request counts when it is planned after it.
void Worker::report(std::int64_t now_ns) {
  std::int64_t since = now_ns;
  for (Slot& slot : slots_) since = std::min(since, slot.connection.unobserved_since());
  hand_over(since, false);
  take_tally();
  next_report_ns_ += base::second_ns;
  if (next_report_ns_ >= plan_.end_ns) next_report_ns_ = INT64_MAX;
}

void Worker::hand_over(std::int64_t unobserved_since_ns, bool last) {
  tally_->unobserved_since_ns = unobserved_since_ns;
  events_.report(second_++, std::move(tally_), last);
}

void Worker::take_adopted(std::int64_t now_ns) {
  std::vector<std::pair<std::uint32_t, base::Descriptor>> adopted;
  {
    const std::scoped_lock lock{adopted_mutex_};
    adopted.swap(adopted_);
  }
  for (auto& [lane, socket] : adopted) {
    const std::uint32_t old = lanes_[lane].slot;
    if (slots_[old].socket.open()) {
      slots_[old].draining = true;
      slots_[old].drained_by_ns = now_ns + plan_.timeout_ns;
      draining_.push_back(old);
    } else {
      free_slots_.push_back(old);
    }
    lanes_[lane].slot = new_slot(lane, std::move(socket));
    lanes_[lane].replacing = false;
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
  if (!slot.socket.open()) return;
  // An error queue with notes in it counts as an error, and is none.
  const bool only_notes = slot.staged && (event.events & ~static_cast<std::uint32_t>(EPOLLOUT)) ==
                                             static_cast<std::uint32_t>(EPOLLERR);
  if (only_notes) {
    read_send_times(slot);
  } else if ((event.events & ~static_cast<std::uint32_t>(EPOLLOUT)) != 0) {
    read(index);
  }
}

std::int64_t Worker::wait_ns(std::int64_t now_ns) const {
  std::int64_t until = std::min(next_tick_ns_, next_report_ns_);
  if (plan_.connection.open_loop && stopped_at_ns_ < 0 && schedule_.next()) {
    until = std::min(until, schedule_.next()->at_ns - awake_before_ns_);
  }
  if (stopped_at_ns_ < 0) until = std::min(until, next_replaced_ns_);
  if (now_ns < plan_.end_ns) until = std::min(until, plan_.end_ns);
  return std::max<std::int64_t>(0, until - now_ns);
}

}  // namespace hallmark::loadgen
