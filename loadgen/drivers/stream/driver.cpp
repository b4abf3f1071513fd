#include "loadgen/drivers/stream/driver.hpp"

#include <sys/socket.h>

#include <algorithm>
#include <boost/system/error_code.hpp>
#include <cerrno>

#include "base/nanoseconds.hpp"
#include "loadgen/client/socket_calls.hpp"
#include "loadgen/client/socket_times.hpp"

namespace hallmark::loadgen {
namespace {

constexpr std::size_t read_bytes = std::size_t{64} << 10;
/// A closed loop, whose client has no time to spare, asks the system for the times of one read in
/// so many.
constexpr std::uint32_t reads_per_sample = 16;
/// Timeouts are looked for this often.
constexpr std::int64_t tick_ns = 50'000'000;
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

StreamDriver::StreamDriver(EventLoop& loop, const StreamPlan& plan,
                           std::vector<base::Descriptor> sockets, Lost lost)
    : loop_(loop),
      plan_(plan),
      loops_(loop.plan().loops),
      connections_(loop.plan().schedule.connections),
      own_((connections_ - loop.number() + loops_ - 1) / loops_),
      lost_(std::move(lost)),
      buffer_(read_bytes) {
  plan_.connection.departures = loop.departures();
  for (base::Descriptor& socket : sockets) {
    const auto lane = static_cast<std::uint32_t>(lanes_.size());
    lanes_.push_back({.subscriber = lane >= own_});
    lanes_[lane].slot = new_slot(lane, std::move(socket));
  }
  if (plan.churn.per_second > 0) next_replaced_ns_ = 0;
}

std::uint32_t StreamDriver::connection_of(std::uint32_t lane) const {
  if (lane < own_) return loop_.number() + lane * loops_;
  return connections_ + loop_.number() + (lane - own_) * loops_;
}

std::uint32_t StreamDriver::lane_of(std::uint32_t connection) const {
  if (connection < connections_) return connection / loops_;
  return own_ + (connection - connections_) / loops_;
}

/// A place for a socket, which need not be open.
std::uint32_t StreamDriver::new_slot(std::uint32_t lane, base::Descriptor socket) {
  const bool staged = plan_.staged && socket.open() && ask_for_times(socket.get());
  const bool timed = staged || (socket.open() && ask_for_receive_times(socket.get()));
  const std::uint32_t client = loop_.number() + loops_ * sockets_++;
  Slot slot{.connection = Connection{plan_.connection, connection_of(lane), staged, client},
            .socket = std::move(socket),
            .lane = lane,
            .staged = staged,
            .timed = timed};
  auto number = static_cast<std::uint32_t>(slots_.size());
  if (free_slots_.empty()) {
    slots_.push_back(std::move(slot));
  } else {
    number = free_slots_.back();
    free_slots_.pop_back();
    slots_[number] = std::move(slot);
  }
  if (slots_[number].socket.open()) loop_.poller().add(slots_[number].socket.get(), number);
  return number;
}

void StreamDriver::advance(std::int64_t now_ns) {
  if (now_ns >= next_tick_ns_) tick(now_ns);
  if (now_ns >= next_replaced_ns_ && replacing(now_ns)) replace_due(now_ns);
}

void StreamDriver::end() {
  for (Slot& slot : slots_) {
    slot.connection.settle(loop_.tally());
    slot.connection.expire_all(loop_.now(), loop_.tally());
    slot.connection.lose(Failure::abandoned, "not sent when the run ended", loop_.now(),
                         loop_.tally());
  }
}

void StreamDriver::adopt(std::uint32_t connection, base::Descriptor socket) {
  {
    const std::scoped_lock lock{adopted_mutex_};
    adopted_.emplace_back(lane_of(connection), std::move(socket));
  }
  loop_.wake();
}

bool StreamDriver::waits(std::int64_t now_ns, std::int64_t last_ns) {
  return now_ns <= last_ns + plan_.connection.timeout_ns && anything_waits(now_ns);
}

std::int64_t StreamDriver::unobserved_since() {
  std::int64_t since = INT64_MAX;
  for (Slot& slot : slots_) since = std::min(since, slot.connection.unobserved_since());
  return since;
}

bool StreamDriver::anything_waits(std::int64_t now_ns) const {
  if (lanes_.size() > own_ && now_ns < last_delivery_ns_ + quiet_ns) return true;
  return std::any_of(slots_.begin(), slots_.end(),
                     [](const Slot& slot) { return !slot.connection.idle(); });
}

void StreamDriver::plan(const Planned& due, std::int64_t now_ns) {
  const std::uint32_t index = lanes_[due.connection / loops_].slot;
  Slot& slot = slots_[index];
  Tally& tally = loop_.tally();
  const Outgoing outgoing{due.index, due.at_ns, due.at_ns >= plan_.connection.warmup_ns,
                          due.ordinal};
  if (!slot.socket.open()) {
    const bool starved = lanes_[due.connection / loops_].starved;
    slot.connection.not_sent(outgoing, starved ? Failure::starved : Failure::no_connection, now_ns,
                             tally);
  } else if (now_ns - due.at_ns > plan_.connection.timeout_ns) {
    slot.connection.not_sent(outgoing, Failure::late, now_ns, tally);
  } else if (!slot.connection.request(outgoing, tally)) {
    slot.connection.not_sent(outgoing, Failure::backlog, now_ns, tally);
  } else {
    if (!slot.dirty) dirty_.push_back(index);
    slot.dirty = true;
    count_requests(slot, 1);
  }
}

void StreamDriver::count_requests(Slot& slot, std::uint64_t sent) {
  const std::uint64_t most = plan_.churn.requests;
  const bool was_below = slot.requests < most;
  slot.requests += sent;
  if (was_below && slot.requests >= most) replace(slot.lane);
}

void StreamDriver::replace(std::uint32_t lane) {
  if (lanes_[lane].replacing || loop_.stopped()) return;
  lanes_[lane].replacing = true;
  lost_(connection_of(lane), false);
}

/// Behind the end of the run replies are waited for, and no more connections are replaced by time.
bool StreamDriver::replacing(std::int64_t now_ns) const {
  return !loop_.stopped() && now_ns < loop_.plan().end_ns;
}

/// One connection after the other, each thread those of its own.
void StreamDriver::replace_due(std::int64_t now_ns) {
  const double share = plan_.churn.per_second * own_ / connections_;
  const auto pause_ns = static_cast<std::int64_t>(static_cast<double>(base::second_ns) / share);
  if (next_replaced_ns_ != 0) {
    replace(next_replaced_);
    next_replaced_ = (next_replaced_ + 1) % own_;
  }
  next_replaced_ns_ = std::max(next_replaced_ns_, now_ns - base::second_ns) + pause_ns;
}

/// Sockets that were replaced, and on which nothing waits any more.
void StreamDriver::release_drained(std::int64_t now_ns) {
  std::erase_if(draining_, [&](std::uint32_t index) {
    Slot& slot = slots_[index];
    const bool idle = slot.connection.idle() || now_ns > slot.drained_by_ns;
    if (slot.socket.open() && !idle) return false;
    slot.connection.lose(Failure::timeout, {}, now_ns, loop_.tally());
    if (slot.socket.open()) loop_.poller().remove(slot.socket.get());
    slot.socket.reset();
    free_slots_.push_back(index);
    return true;
  });
}

// The closed loop: as many requests in flight as asked for.
void StreamDriver::fill(std::uint32_t index, std::int64_t now_ns) {
  Slot& slot = slots_[index];
  Lane& lane = lanes_[slot.lane];
  if (!slot.socket.open() || slot.draining || lane.subscriber || !loop_.planning(now_ns)) return;
  const std::uint64_t connection = connection_of(slot.lane);
  const bool counted = loop_.counting();
  const std::uint64_t stride = connections_;
  const Outgoing next{connection + lane.sequence * stride, now_ns, counted};
  const std::uint64_t sent = slot.connection.fill(next, stride, plan_.depth, loop_.tally());
  lane.sequence += sent;
  count_requests(slot, sent);
  flush(index);
}

void StreamDriver::flush() {
  for (const std::uint32_t index : dirty_) {
    slots_[index].dirty = false;
    flush(index);
  }
  dirty_.clear();
}

void StreamDriver::flush(std::uint32_t index) {
  Slot& slot = slots_[index];
  const auto bytes = slot.connection.unsent();
  if (bytes.empty() || slot.blocked || !slot.socket.open()) return;
  slot.connection.stamp(plan_.connection.open_loop ? loop_.now() : 0, slot.held_up, loop_.tally());
  slot.held_up = false;
  const ssize_t n = send_now(slot.socket.get(), bytes);
  ++loop_.tally().writes;
  // The client's own system lacks room: it is tried again, and nobody else is blamed.
  const bool lacking = n < 0 && (errno == ENOBUFS || errno == ENOMEM);
  if (n < 0 && !lacking && errno != EAGAIN && errno != EINTR) {
    lose(index, failure_of(errno), text_of(errno));
    return;
  }
  const auto written = n < 0 ? 0U : static_cast<std::size_t>(n);
  loop_.tally().bytes_out += written;
  slot.connection.sent(written);
  if (written == bytes.size()) {
    slot.connection.settle(loop_.tally());
  } else {
    slot.blocked = true;
    slot.held_up = !lacking;
    loop_.poller().want_write(slot.socket.get(), index, true);
  }
}

/// Reads with the times of the bytes where these are asked for: a closed loop does so now and then.
inline std::int64_t StreamDriver::receive(Slot& slot, Received& at) {
  const bool sampled = plan_.connection.open_loop || ++reads_ % reads_per_sample == 0;
  if (slot.timed && (sampled || slot.staged)) return receive_timed(slot, at);
  const ssize_t n = receive_now(slot.socket.get(), buffer_);
  at.read_ns = loop_.now();
  return n;
}

std::int64_t StreamDriver::receive_timed(Slot& slot, Received& at) {
  if (slot.staged) read_send_times(slot);
  const TimedRead timed = read_with_time(slot.socket.get(), buffer_);
  at.read_ns = loop_.now();
  if (timed.received_ns >= 0) at.kernel_ns = timed.received_ns - realtime_ahead_ns_;
  if (!plan_.connection.open_loop && !slot.staged) at.stands_for = reads_per_sample;
  return timed.bytes;
}

void StreamDriver::read_send_times(Slot& slot) {
  while (const auto note = next_sent_note(slot.socket.get())) {
    if (note->sent_ns >= 0)
      slot.connection.kernel_sent(note->last_byte, note->sent_ns - realtime_ahead_ns_);
  }
}

void StreamDriver::read(std::uint32_t index) {
  Slot& slot = slots_[index];
  Received at;
  const std::int64_t n = receive(slot, at);
  ++loop_.tally().reads;
  if (n == 0) return lose(index, Failure::closed, "the target closed the connection");
  if (n < 0) {
    if (errno != EAGAIN && errno != EINTR) lose(index, failure_of(errno), text_of(errno));
    return;
  }
  const auto bytes = static_cast<std::size_t>(n);
  loop_.tally().bytes_in += bytes;
  if (lanes_[slot.lane].subscriber) last_delivery_ns_ = at.read_ns;
  if (!slot.connection.receive({buffer_.data(), bytes}, at, loop_.tally())) {
    return lose(index, Failure::abandoned, {});
  }
  if (loop_.tally().slowest.any_fresh()) explain_slowest(slot);
  if (!plan_.connection.open_loop) fill(index, at.read_ns);
}

/// Those among the slowest whose replies have just been read.
void StreamDriver::explain_slowest(const Slot& slot) {
  loop_.tally().slowest.explain(tcp_state(slot.socket.get()));
}

void StreamDriver::lose(std::uint32_t index, Failure why, std::string_view example) {
  Slot& slot = slots_[index];
  slot.connection.lose(why, example, loop_.now(), loop_.tally());
  loop_.poller().remove(slot.socket.get());
  slot.socket.reset();
  slot.blocked = false;
  if (slot.draining || lanes_[slot.lane].replacing) return;
  lanes_[slot.lane].replacing = true;
  lost_(connection_of(slot.lane), true);
}

void StreamDriver::tick(std::int64_t now_ns) {
  next_tick_ns_ = (now_ns / tick_ns + 1) * tick_ns;
  realtime_ahead_ns_ = realtime_ahead() + loop_.origin_ns();
  take_adopted(now_ns);
  release_drained(now_ns);
  for (std::uint32_t i = 0; i < slots_.size(); ++i) {
    slots_[i].connection.expire(now_ns, loop_.tally());
    if (!plan_.connection.open_loop) fill(i, now_ns);
  }
}

void StreamDriver::take_adopted(std::int64_t now_ns) {
  std::vector<std::pair<std::uint32_t, base::Descriptor>> adopted;
  {
    const std::scoped_lock lock{adopted_mutex_};
    adopted.swap(adopted_);
  }
  for (auto& [lane, socket] : adopted) {
    lanes_[lane].starved = !socket.open();
    if (!socket.open()) continue;
    const std::uint32_t old = lanes_[lane].slot;
    if (slots_[old].socket.open()) {
      slots_[old].draining = true;
      slots_[old].drained_by_ns = now_ns + plan_.connection.timeout_ns;
      draining_.push_back(old);
    } else {
      free_slots_.push_back(old);
      ++loop_.tally().reconnects;
    }
    lanes_[lane].slot = new_slot(lane, std::move(socket));
    lanes_[lane].replacing = false;
  }
}

void StreamDriver::ready(const epoll_event& event) {
  const std::uint32_t index = event.data.u32;
  Slot& slot = slots_[index];
  if ((event.events & EPOLLOUT) != 0 && slot.blocked) {
    slot.blocked = false;
    loop_.poller().want_write(slot.socket.get(), index, false);
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

std::int64_t StreamDriver::next_advance_ns(std::int64_t now_ns) const {
  return replacing(now_ns) ? std::min(next_tick_ns_, next_replaced_ns_) : next_tick_ns_;
}

}  // namespace hallmark::loadgen
