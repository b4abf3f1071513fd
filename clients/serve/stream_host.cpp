#include "clients/serve/stream_host.hpp"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

namespace hallmark::clients {
namespace {

using Kind = Step::Kind;

constexpr std::size_t read_at_once = 65'536;
/// Unsent bytes of a connection: beyond, nothing more of it is read.
constexpr std::size_t most_waiting_bytes = std::size_t{8} << 20;
/// The time for which the server still reads from a connection that it has ended. A socket that is
/// closed with unread bytes resets the connection, and the reset may overtake the last reply.
constexpr std::chrono::milliseconds linger{500};
constexpr std::size_t most_connections = 1'024;

base::Error cannot_serve(const char* what) {
  return base::Error{
      fmt::format("cannot serve at {}: {}: {}", loopback, what, base::errno_text(errno))};
}

model::Peer peer_at(const sockaddr_in& address) {
  model::Peer peer;
  peer.port = ntohs(address.sin_port);
  ::inet_ntop(AF_INET, &address.sin_addr, peer.ip.data(), peer.ip.size());
  std::memcpy(peer.address.data(), &address.sin_addr, sizeof address.sin_addr);
  return peer;
}

}  // namespace

StreamHost::StreamHost(HostOptions options)
    : options_(std::move(options)), recorder_(options_.expected) {
  if (options_.keeps_traffic) recorder_.keep_traffic();
}

StreamHost::~StreamHost() {
  if (thread_.joinable()) stop();
}

base::Result<void> StreamHost::start() {
  listener_ = base::Descriptor(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t length = sizeof address;
  auto* const generic = reinterpret_cast<sockaddr*>(&address);
  if (!listener_.open() || ::bind(listener_.get(), generic, length) != 0)
    return cannot_serve("bind");
  if (::listen(listener_.get(), 256) != 0) return cannot_serve("listen");
  if (::getsockname(listener_.get(), generic, &length) != 0) return cannot_serve("getsockname");
  port_ = ntohs(address.sin_port);
  service_ = std::make_unique<StreamService>(options_.served, options_.seed, clock_.now());
  if (options_.disturbance) {
    options_.disturbance->prepare(*service_);
  } else {
    options_.disturbance = std::make_unique<Disturbance>();
  }
  if (options_.compares)
    undisturbed_ = std::make_unique<Undisturbed>(options_.expected, options_.seed, clock_.now());
  thread_ = std::thread([this] { run(); });
  return {};
}

Observed StreamHost::stop() {
  is_stopping_ = true;
  stop_.wake();
  thread_.join();
  for (const auto& [number, connection] : connections_) {
    if (!connection.input_ended && !connection.lingers_until)
      recorder_.judge().ended(number, service_->unanswered(number));
  }
  connections_.clear();
  return recorder_.take();
}

void StreamHost::run() {
  while (!is_stopping_) {
    for (auto& [number, connection] : connections_) perform(connection);
    remove_ended();
    serve(true);
  }
  // The client is gone: what it has sent and nobody has looked at is still judged.
  constexpr int most_rounds = 1'000;
  for (int round = 0; round < most_rounds && serve(false); ++round) remove_ended();
}

bool StreamHost::serve(bool waits) {
  std::vector<pollfd> waiting = {{stop_.fd(), waits ? short{POLLIN} : short{0}, 0},
                                 {listener_.get(), POLLIN, 0}};
  std::vector<std::uint64_t> numbers;
  for (const auto& [number, connection] : connections_) {
    const bool reads = !connection.input_ended && connection.waiting_bytes < most_waiting_bytes;
    const int events = (reads ? POLLIN : 0) | (connection.blocked && waits ? POLLOUT : 0);
    waiting.push_back({connection.socket.get(), static_cast<short>(events), 0});
    numbers.push_back(number);
  }
  const auto left = waits ? time_left() : std::chrono::nanoseconds{0};
  timespec time{};
  if (left) {
    const auto seconds = std::chrono::floor<std::chrono::seconds>(*left);
    time = {seconds.count(), (*left - seconds).count()};
  }
  if (::ppoll(waiting.data(), waiting.size(), left ? &time : nullptr, nullptr) <= 0) return false;
  if ((waiting[1].revents & POLLIN) != 0) accept();
  bool came = waiting[1].revents != 0;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const auto found = connections_.find(numbers[i]);
    const short events = waiting[i + 2].revents;
    if (events == 0 || found == connections_.end()) continue;
    came = true;
    serve(found->second, events);
  }
  return came;
}

void StreamHost::serve(Connection& connection, short events) {
  const bool is_broken = (events & (POLLERR | POLLHUP)) != 0;
  if ((events & POLLOUT) != 0 || is_broken) connection.blocked = false;
  if (!connection.input_ended && ((events & POLLIN) != 0 || is_broken)) return read(connection);
  if (connection.input_ended && is_broken) connection.is_over = true;  // nobody takes what is left
}

std::optional<std::chrono::nanoseconds> StreamHost::time_left() const {
  std::optional<Clock::time_point> next;
  const auto consider = [&next](Clock::time_point at) { next = next ? std::min(*next, at) : at; };
  for (const auto& [number, connection] : connections_) {
    if (!connection.steps.empty() && !connection.blocked) consider(connection.not_before);
    if (!connection.held.empty()) consider(connection.held_until);
    if (connection.lingers_until) consider(*connection.lingers_until);
  }
  if (!next) return std::nullopt;
  return std::max<std::chrono::nanoseconds>(*next - Clock::now(), {});
}

void StreamHost::accept() {
  sockaddr_in address{};
  socklen_t length = sizeof address;
  base::Descriptor socket(::accept4(listener_.get(), reinterpret_cast<sockaddr*>(&address), &length,
                                    SOCK_CLOEXEC | SOCK_NONBLOCK));
  if (!socket.open() || connections_.size() >= most_connections) return;
  // Each write has to leave as a segment of its own.
  const int on = 1;
  ::setsockopt(socket.get(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  service_->advance(clock_.now());
  const model::Peer peer = peer_at(address);
  const std::uint64_t number = service_->open(peer);
  if (number == 0) return;
  if (undisturbed_) undisturbed_->open(peer);
  recorder_.connected(number, peer.port);
  Connection& connection = connections_[number];
  connection.socket = std::move(socket);
  connection.number = number;
}

void StreamHost::read(Connection& connection) {
  std::array<std::uint8_t, read_at_once> bytes;
  const ssize_t got = ::recv(connection.socket.get(), bytes.data(), bytes.size(), 0);
  if (got < 0 && (errno == EAGAIN || errno == EINTR)) return;
  if (got <= 0) return on_input_end(connection, got < 0);
  on_bytes(connection, {bytes.data(), static_cast<std::size_t>(got)});
}

void StreamHost::on_bytes(Connection& connection, base::ByteView bytes) {
  if (connection.lingers_until) return;
  recorder_.crossed(connection.number, Crossing::Kind::received, bytes);
  recorder_.judge().received(connection.number, bytes);
  service_->receive(connection.number, bytes);
  const model::Time now = clock_.now();
  service_->advance(now);
  if (undisturbed_) {
    undisturbed_->advance(now);
    undisturbed_->receive(connection.number, bytes);
  }
  answer(connection);
}

/// Requests that arrive together wait for their replies together: none of them may repeat the id of
/// another.
void StreamHost::answer(Connection& connection) {
  std::vector<base::Bytes> answered;
  while (const auto answer = service_->answer_next(connection.number)) {
    const Message& reply = answer->messages.front();
    recorder_.requested(connection.number, answer->is_request ? reply.operation : nullptr,
                        reply.request);
    if (!answer->is_request) recorder_.judge().not_a_request(connection.number, reply.request);
    for (const Message& message : answer->messages)
      send_out(message, answer->ends && &message == &reply);
    for (const Message& delivery : options_.disturbance->others_act(reply, *service_))
      send_out(delivery, false);
    answered.push_back(reply.request);
    if (answer->ends) break;
  }
  for (const base::Bytes& request : answered)
    recorder_.judge().answered(connection.number, request);
}

/// Under another answer to a reading, what the client gets differs without any disturbance.
Recorder::Mark StreamHost::compare(const Message& message, Treatment& treatment) {
  auto instead = undisturbed_ ? undisturbed_->instead_of(message) : std::nullopt;
  if (!instead) return recorder_.changed(message, treatment);
  treatment.reach = Reach::performed;
  treatment.what = "the server answers otherwise than the client expects";
  Message expected = message;
  expected.bytes = std::move(*instead);
  return recorder_.changed(expected, treatment);
}

void StreamHost::send_out(const Message& message, bool ends) {
  recorder_.made(message);
  const auto found = connections_.find(message.connection);
  if (found == connections_.end()) return;
  Connection& connection = found->second;
  connection.had_delivery |= message.push != nullptr;
  Treatment treatment = options_.disturbance->treat(message);
  const Recorder::Mark mark = compare(message, treatment);
  if (treatment.steps.empty()) recorder_.performed(mark);
  for (Step& step : treatment.steps) {
    connection.waiting_bytes += step.bytes.size();
    connection.steps.push_back({std::move(step)});
  }
  if (!treatment.steps.empty()) {
    const std::size_t first = connection.steps.size() - treatment.steps.size();
    const bool begun = treatment.reach == Reach::begun;
    (begun ? connection.steps[first] : connection.steps.back()).mark = mark;
  }
  if (ends) connection.steps.push_back({ended_by(Kind::close)});
  perform(connection);
}

void StreamHost::on_input_end(Connection& connection, bool by_reset) {
  connection.input_ended = true;
  recorder_.crossed(connection.number,
                    by_reset ? Crossing::Kind::client_reset : Crossing::Kind::client_finished);
  if (connection.lingers_until) {
    connection.is_over = true;
    return;
  }
  recorder_.judge().ended(connection.number, service_->unanswered(connection.number));
  if (by_reset) {
    note_left_replies(connection);
    connection.is_over = true;
  }
}

/// A client may well end a connection on which deliveries still come.
void StreamHost::note_left_replies(const Connection& connection) {
  if (!connection.had_delivery) recorder_.judge().left_replies(connection.number);
}

void StreamHost::perform(Connection& connection) {
  while (step(connection)) {
  }
  const auto now = Clock::now();
  if (!connection.held.empty() && now >= connection.held_until) flush_held(connection);
  if (connection.lingers_until && now >= *connection.lingers_until) connection.is_over = true;
  if (connection.input_ended && connection.steps.empty() && connection.held.empty())
    connection.is_over = true;
}

bool StreamHost::step(Connection& connection) {
  if (connection.steps.empty() || connection.is_over || connection.blocked) return false;
  if (Clock::now() < connection.not_before) return false;
  Due& due = connection.steps.front();
  switch (due.step.kind) {
    case Kind::send: return send_step(connection, due);
    case Kind::flood: return flood_step(connection, due);
    case Kind::hold: hold_step(connection, due); return true;
    case Kind::pause:
      if (!flush_held(connection)) return false;
      connection.not_before = Clock::now() + due.step.time;
      pop(connection);
      return true;
    case Kind::restart: restart(); return false;
    case Kind::close:
    case Kind::reset:
    case Kind::half_close:
      if (!flush_held(connection)) return false;
      end(connection, due.step.kind);
      return false;
  }
  return false;
}

void StreamHost::pop(Connection& connection, Recorder::Leaves leaves) {
  const Due& due = connection.steps.front();
  connection.waiting_bytes -= due.step.bytes.size();
  recorder_.performed(due.mark, leaves);
  connection.steps.pop_front();
  connection.sent = 0;
}

bool StreamHost::send_step(Connection& connection, Due& due) {
  if (!connection.held.empty()) {
    // The bytes that are held leave in one write with these.
    base::Bytes together = std::move(connection.held);
    connection.held.clear();
    base::append(together, due.step.bytes);
    connection.waiting_bytes += together.size() - due.step.bytes.size();
    due.step.bytes = std::move(together);
    for (const Recorder::Mark mark : connection.held_marks) recorder_.joined(mark);
    connection.held_marks.clear();
  }
  const auto rest = base::ByteView(due.step.bytes).subspan(connection.sent);
  const auto taken = write(connection, rest);
  if (!taken) return false;
  connection.sent += *taken;
  if (connection.sent < due.step.bytes.size()) {
    connection.blocked = true;
    return false;
  }
  pop(connection);
  return true;
}

bool StreamHost::flood_step(Connection& connection, Due& due) {
  if (!flush_held(connection)) return false;
  while (due.step.times > 0) {
    const auto taken = write(connection, base::ByteView(due.step.bytes).subspan(connection.sent));
    if (!taken) return false;
    connection.sent += *taken;
    if (connection.sent < due.step.bytes.size()) {
      connection.blocked = true;
      return false;
    }
    connection.sent = 0;
    --due.step.times;
  }
  pop(connection);
  return true;
}

void StreamHost::hold_step(Connection& connection, Due& due) {
  if (connection.held.empty()) connection.held_until = Clock::now() + due.step.time;
  const bool joins = !connection.held.empty();
  base::append(connection.held, due.step.bytes);
  connection.held_marks.push_back(due.mark);
  if (joins) {
    for (const Recorder::Mark mark : connection.held_marks) recorder_.joined(mark);
  }
  pop(connection, Recorder::Leaves::later);
}

/// Returns false if the socket does not take all of it.
bool StreamHost::flush_held(Connection& connection) {
  if (connection.held.empty()) return true;
  connection.held_marks.clear();
  base::Bytes bytes = std::move(connection.held);
  connection.held.clear();
  const auto taken = write(connection, bytes);
  if (!taken) return false;
  if (*taken == bytes.size()) return true;
  bytes.erase(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(*taken));
  connection.waiting_bytes += bytes.size();
  connection.steps.push_front({send(std::move(bytes))});
  connection.blocked = true;
  return false;
}

std::optional<std::size_t> StreamHost::write(Connection& connection, base::ByteView bytes) {
  if (connection.sending_ended) return bytes.size();
  const ssize_t taken =
      ::send(connection.socket.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
  if (taken >= 0) {
    const auto size = static_cast<std::size_t>(taken);
    recorder_.crossed(connection.number, Crossing::Kind::sent, bytes.first(size));
    return size;
  }
  if (errno == EAGAIN || errno == EINTR) return 0;
  note_left_replies(connection);
  connection.is_over = true;
  return std::nullopt;
}

void StreamHost::end(Connection& connection, Kind how) {
  pop(connection, Recorder::Leaves::later);
  connection.steps.clear();
  connection.waiting_bytes = 0;
  connection.sending_ended = true;
  recorder_.crossed(connection.number, how == Kind::reset ? Crossing::Kind::server_reset
                                                          : Crossing::Kind::server_finished);
  if (how == Kind::reset) {
    const ::linger at_once{1, 0};
    ::setsockopt(connection.socket.get(), SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
    connection.is_over = true;
    return;
  }
  ::shutdown(connection.socket.get(), SHUT_WR);
  if (how == Kind::close) connection.lingers_until = Clock::now() + clients::linger;
}

/// Restarts the server as after a crash: all records are lost, and all connections are reset.
void StreamHost::restart() {
  for (auto& [number, connection] : connections_) {
    const bool is_here =
        !connection.steps.empty() && connection.steps.front().step.kind == Kind::restart;
    if (!is_here) connection.steps.push_front({ended_by(Kind::reset)});
    end(connection, Kind::reset);
  }
  service_->restart(clock_.now());
}

void StreamHost::remove_ended() {
  for (auto one = connections_.begin(); one != connections_.end();) {
    if (!one->second.is_over) {
      ++one;
      continue;
    }
    service_->close(one->first);
    if (undisturbed_) undisturbed_->close(one->first);
    one = connections_.erase(one);
  }
}

}  // namespace hallmark::clients
