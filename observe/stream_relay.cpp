#include <sched.h>
#include <sys/epoll.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <list>
#include <system_error>
#include <vector>

#include "base/waker.hpp"
#include "observe/relay.hpp"

namespace hallmark::observe {
namespace {

using base::Bytes;
using base::ByteView;
using base::Descriptor;

constexpr std::size_t read_at_once = RecordRing::most_bytes;
constexpr int events_at_once = 256;
constexpr int accepted_at_once = 64;
/// The time for which the relay keeps looking before it sleeps. A reply, or the next request,
/// usually comes within that time, and waking up takes as long.
constexpr std::chrono::microseconds looks_for{30};
/// While something is still to be told to the decoding thread, or the system has no descriptors.
constexpr int retry_after_ms = 20;

struct Pair;

/// One of the two sockets of a connection.
struct End {
  Pair* pair = nullptr;
  Side side = Side::client;  ///< the side at the other end of the socket
  Descriptor socket{};
  std::uint32_t events = 0;  ///< that epoll waits for
  Bytes pending{};           ///< for this socket, which did not take it yet
  std::size_t taken = 0;     ///< of `pending`
  bool silent = false;       ///< nothing more comes from there
};

struct Pair {
  Line line{};
  End client{};
  End server{};
  bool connected = false;
  bool over = false;
  std::list<std::unique_ptr<Pair>>::iterator place{};

  End& peer_of(const End& end) { return &end == &client ? server : client; }
};

class StreamRelay : public Relay {
 public:
  StreamRelay(Listener listener, const SocketAddress& target, Tap& tap, RelayCounts& counts)
      : listener_(std::move(listener)),
        target_(target),
        tap_(tap),
        counts_(counts),
        epoll_(::epoll_create1(EPOLL_CLOEXEC)) {
    if (!epoll_.open()) throw std::system_error(errno, std::generic_category(), "epoll_create1");
    add(waker_.fd(), &waker_);
    listen();
  }

  ~StreamRelay() override { listener_.file.remove(); }

  void run() override;
  void stop() override {
    stopped_ = true;
    waker_.wake();
  }

 private:
  using Events = std::array<epoll_event, events_at_once>;

  int wait(Events& events);
  void add(int socket, void* what) {
    epoll_event event{};
    event.events = EPOLLIN;
    event.data.ptr = what;
    ::epoll_ctl(epoll_.get(), EPOLL_CTL_ADD, socket, &event);
  }
  void listen();
  void pause_listening();
  void accept_some();
  bool accept_one();
  void watch(End& end, std::uint32_t events, bool first = false);
  void want(End& end, std::uint32_t event, bool wanted);
  void handle(End& end, std::uint32_t events);
  void note_connected(Pair& pair);
  void note_hangup(End& end, std::uint32_t events);
  void read(End& from);
  void pass(End& from, std::size_t length);
  void write_pending(End& to);
  void note_end(End& from);
  void finish_writing(End& to);
  void break_off(Pair& pair, Side by);
  void close(Pair& pair);

  Listener listener_;
  SocketAddress target_;
  Tap& tap_;
  RelayCounts& counts_;
  Descriptor epoll_;
  base::Waker waker_;
  std::atomic<bool> stopped_{false};
  bool listening_ = false;
  bool untold_ = false;
  std::list<std::unique_ptr<Pair>> pairs_;
  std::vector<std::unique_ptr<Pair>> graveyard_;  ///< events of this round may still name them
  std::array<std::uint8_t, read_at_once> buffer_{};
};

void StreamRelay::run() {
  Events events{};
  while (!stopped_) {
    const int count = wait(events);
    for (int i = 0; i < count; ++i) {
      const epoll_event& event = events[static_cast<std::size_t>(i)];
      if (event.data.ptr == &waker_) continue;
      if (event.data.ptr == this) {
        accept_some();
        continue;
      }
      handle(*static_cast<End*>(event.data.ptr), event.events);
    }
    graveyard_.clear();
    if (untold_) untold_ = !tap_.settle();
    if (count == 0 && !listening_) listen();
  }
  while (!pairs_.empty()) close(*pairs_.front());
  graveyard_.clear();
  listener_.socket.reset();
}

/// Others that want the processor get it between two looks.
int StreamRelay::wait(Events& events) {
  const auto until = Tap::Clock::now() + looks_for;
  do {
    const int count = ::epoll_wait(epoll_.get(), events.data(), events_at_once, 0);
    if (count != 0) return count;
    ::sched_yield();
  } while (Tap::Clock::now() < until);
  const int timeout = untold_ || !listening_ ? retry_after_ms : -1;
  return ::epoll_wait(epoll_.get(), events.data(), events_at_once, timeout);
}

void StreamRelay::listen() {
  listening_ = true;
  add(listener_.socket.get(), this);
}

void StreamRelay::pause_listening() {
  if (!listening_) return;
  listening_ = false;
  ::epoll_ctl(epoll_.get(), EPOLL_CTL_DEL, listener_.socket.get(), nullptr);
}

void StreamRelay::accept_some() {
  for (int i = 0; i < accepted_at_once; ++i) {
    if (!accept_one()) return;
  }
}

bool StreamRelay::accept_one() {
  SocketAddress from;
  Descriptor socket(
      ::accept4(listener_.socket.get(), from.get(), &from.length, SOCK_NONBLOCK | SOCK_CLOEXEC));
  if (!socket.open()) {
    // Clients wait in the backlog until a connection has ended.
    if (errno == EMFILE || errno == ENFILE) pause_listening();
    return errno == ECONNABORTED || errno == EINTR;
  }
  send_at_once(socket.get());
  Descriptor upstream = start_connecting(target_);
  if (!upstream.open()) {
    ++counts_.unreachable;
    break_off_at_close(socket.get());
    return true;
  }
  pairs_.push_back(std::make_unique<Pair>());
  Pair& pair = *pairs_.back();
  pair.place = std::prev(pairs_.end());
  pair.client.socket = std::move(socket);
  pair.server.socket = std::move(upstream);
  pair.server.side = Side::server;
  pair.client.pair = pair.server.pair = &pair;
  const auto number = static_cast<std::uint32_t>(counts_.opened.load());
  const auto port = static_cast<std::uint16_t>(1024 + number % 64'000);
  tap_.open(pair.line, {address_of(from, port, number / 64'000), address_of(target_, 9000, 0)});
  watch(pair.client, 0, true);
  watch(pair.server, EPOLLOUT, true);
  return true;
}

void StreamRelay::watch(End& end, std::uint32_t events, bool first) {
  if (!first && end.events == events) return;
  end.events = events;
  epoll_event event{};
  event.events = events;
  event.data.ptr = &end;
  ::epoll_ctl(epoll_.get(), first ? EPOLL_CTL_ADD : EPOLL_CTL_MOD, end.socket.get(), &event);
}

void StreamRelay::want(End& end, std::uint32_t event, bool wanted) {
  watch(end, wanted ? end.events | event : end.events & ~event);
}

void StreamRelay::handle(End& end, std::uint32_t events) {
  Pair& pair = *end.pair;
  if (pair.over) return;
  if (!pair.connected) {
    if (&end == &pair.client) return break_off(pair, Side::client);
    return note_connected(pair);
  }
  if ((events & EPOLLOUT) != 0) write_pending(end);
  if (pair.over) return;
  if ((events & EPOLLIN) != 0) return read(end);
  if ((events & (EPOLLERR | EPOLLHUP)) != 0 && (end.events & EPOLLIN) == 0)
    note_hangup(end, events);
}

/// Ends what is read from this end; what its peer has yet to receive is kept.
void StreamRelay::note_hangup(End& end, std::uint32_t events) {
  Pair& pair = *end.pair;
  const bool peer_is_waiting = !pair.peer_of(end).pending.empty();
  if ((events & EPOLLERR) != 0 && !peer_is_waiting) return break_off(pair, end.side);
  // The system would name it again and again.
  ::epoll_ctl(epoll_.get(), EPOLL_CTL_DEL, end.socket.get(), nullptr);
}

void StreamRelay::note_connected(Pair& pair) {
  int reason = 0;
  socklen_t length = sizeof reason;
  ::getsockopt(pair.server.socket.get(), SOL_SOCKET, SO_ERROR, &reason, &length);
  if (reason != 0) {
    ++counts_.unreachable;
    return break_off(pair, Side::server);
  }
  pair.connected = true;
  watch(pair.server, EPOLLIN);
  watch(pair.client, EPOLLIN);
}

void StreamRelay::read(End& from) {
  const auto length = ::recv(from.socket.get(), buffer_.data(), buffer_.size(), 0);
  if (length > 0) return pass(from, static_cast<std::size_t>(length));
  if (length == 0) return note_end(from);
  if (errno != EAGAIN && errno != EINTR) break_off(*from.pair, from.side);
}

/// Sends on before anything else: what is told to the decoding thread comes after.
void StreamRelay::pass(End& from, std::size_t length) {
  End& to = from.pair->peer_of(from);
  const auto sent = ::send(to.socket.get(), buffer_.data(), length, MSG_NOSIGNAL);
  if (sent < 0 && errno != EAGAIN && errno != EINTR) return break_off(*from.pair, to.side);
  const std::size_t taken = sent < 0 ? 0 : static_cast<std::size_t>(sent);
  if (taken < length) {
    to.pending.assign(buffer_.begin() + static_cast<std::ptrdiff_t>(taken),
                      buffer_.begin() + static_cast<std::ptrdiff_t>(length));
    to.taken = 0;
    want(from, EPOLLIN, false);
    want(to, EPOLLOUT, true);
  }
  tap_.bytes(from.pair->line, from.side, ByteView(buffer_).first(length));
}

void StreamRelay::write_pending(End& to) {
  Pair& pair = *to.pair;
  End& from = pair.peer_of(to);
  const auto rest = ByteView(to.pending).subspan(to.taken);
  const auto sent = ::send(to.socket.get(), rest.data(), rest.size(), MSG_NOSIGNAL);
  if (sent < 0) {
    if (errno != EAGAIN && errno != EINTR) break_off(pair, to.side);
    return;
  }
  to.taken += static_cast<std::size_t>(sent);
  if (to.taken < to.pending.size()) return;
  to.pending = {};
  to.taken = 0;
  want(to, EPOLLOUT, false);
  if (from.silent) return finish_writing(to);
  want(from, EPOLLIN, true);
}

void StreamRelay::note_end(End& from) {
  Pair& pair = *from.pair;
  from.silent = true;
  want(from, EPOLLIN, false);
  tap_.finish(pair.line, from.side);
  End& to = pair.peer_of(from);
  if (to.pending.empty()) finish_writing(to);
}

void StreamRelay::finish_writing(End& to) {
  Pair& pair = *to.pair;
  if (to.silent && pair.peer_of(to).pending.empty()) return close(pair);
  ::shutdown(to.socket.get(), SHUT_WR);
}

/// The connection of that side is broken: so is the other one, once it has got what was said
/// before.
void StreamRelay::break_off(Pair& pair, Side by) {
  End& broken = by == Side::client ? pair.client : pair.server;
  End& other = pair.peer_of(broken);
  while (pair.connected && !broken.silent && other.pending.empty()) {
    const auto length = ::recv(broken.socket.get(), buffer_.data(), buffer_.size(), 0);
    if (length <= 0) break;
    const auto last = ByteView(buffer_).first(static_cast<std::size_t>(length));
    tap_.bytes(pair.line, by, last);
    if (::send(other.socket.get(), last.data(), last.size(), MSG_NOSIGNAL) != length) break;
  }
  break_off_at_close(other.socket.get());
  tap_.reset(pair.line, by);
  close(pair);
}

void StreamRelay::close(Pair& pair) {
  pair.over = true;
  pair.client.socket.reset();
  pair.server.socket.reset();
  tap_.close(pair.line);
  untold_ = !tap_.settle();
  graveyard_.push_back(std::move(*pair.place));
  pairs_.erase(pair.place);
  if (!listening_ && !stopped_) listen();
}

}  // namespace

std::unique_ptr<Relay> make_stream_relay(Listener listener, const SocketAddress& target, Tap& tap,
                                         RelayCounts& counts) {
  return std::make_unique<StreamRelay>(std::move(listener), target, tap, counts);
}

}  // namespace hallmark::observe
