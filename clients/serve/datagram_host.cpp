#include "clients/serve/datagram_host.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>

#include "clients/serve/stream_host.hpp"

namespace hallmark::clients {
namespace {

constexpr std::size_t largest_datagram = 65'536;
constexpr std::size_t most_keys = 1'000'000;
constexpr std::size_t most_peers = 4'096;
constexpr std::size_t most_steps = 10'000;  ///< of a peer; beyond, its datagrams are lost
constexpr int most_rounds = 1'000;          ///< of looking for what came before the end

std::uint64_t name_of(const sockaddr_in& address) {
  return std::uint64_t{address.sin_addr.s_addr} << 16 | address.sin_port;
}

}  // namespace

DatagramService::DatagramService(const Format& format)
    : rules_(protocol::ratelimit::example_rules()),
      limiter_(rules_, model::rate_behaviour_of(format.readings), most_keys),
      session_(limiter_, format.readings) {}

base::Bytes DatagramService::answer(base::ByteView datagram, model::Time now) {
  protocol::ByteBuffer out;
  const std::size_t size = session_.answer(datagram, now, out);
  const base::ByteView reply = out.view().last(size);
  return {reply.begin(), reply.end()};
}

DatagramHost::DatagramHost(HostOptions options)
    : options_(std::move(options)), recorder_(options_.expected), service_(options_.served) {
  if (options_.keeps_traffic) recorder_.keep_traffic();
  if (options_.compares) undisturbed_.emplace(options_.expected);
  if (!options_.disturbance) options_.disturbance = std::make_unique<Disturbance>();
}

DatagramHost::~DatagramHost() {
  if (thread_.joinable()) stop();
}

base::Result<void> DatagramHost::start() {
  socket_ = base::Descriptor(::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t length = sizeof address;
  auto* const generic = reinterpret_cast<sockaddr*>(&address);
  if (!socket_.open() || ::bind(socket_.get(), generic, length) != 0 ||
      ::getsockname(socket_.get(), generic, &length) != 0) {
    return base::Error{
        fmt::format("cannot serve at udp://{}: {}", loopback, base::errno_text(errno))};
  }
  port_ = ntohs(address.sin_port);
  thread_ = std::thread([this] { run(); });
  return {};
}

Observed DatagramHost::stop() {
  is_stopping_ = true;
  stop_.wake();
  thread_.join();
  return recorder_.take();
}

void DatagramHost::run() {
  while (!is_stopping_) {
    for (auto& [name, peer] : peers_) perform(peer);
    serve(true);
  }
  for (int round = 0; round < most_rounds && serve(false); ++round) {
  }
}

bool DatagramHost::serve(bool waits) {
  pollfd waiting[] = {{stop_.fd(), waits ? short{POLLIN} : short{0}, 0},
                      {socket_.get(), POLLIN, 0}};
  const auto left = waits ? time_left() : std::chrono::nanoseconds{0};
  timespec time{};
  if (left) {
    const auto seconds = std::chrono::floor<std::chrono::seconds>(*left);
    time = {seconds.count(), (*left - seconds).count()};
  }
  if (::ppoll(waiting, 2, left ? &time : nullptr, nullptr) <= 0) return false;
  return waiting[1].revents != 0 && receive();
}

std::optional<std::chrono::nanoseconds> DatagramHost::time_left() const {
  std::optional<Clock::time_point> next;
  const auto consider = [&next](Clock::time_point at) { next = next ? std::min(*next, at) : at; };
  for (const auto& [name, peer] : peers_) {
    if (!peer.steps.empty()) consider(peer.not_before);
    if (peer.held) consider(peer.held_until);
  }
  if (!next) return std::nullopt;
  return std::max<std::chrono::nanoseconds>(*next - Clock::now(), {});
}

bool DatagramHost::receive() {
  std::array<std::uint8_t, largest_datagram> bytes;
  sockaddr_in address{};
  socklen_t length = sizeof address;
  const ssize_t got = ::recvfrom(socket_.get(), bytes.data(), bytes.size(), 0,
                                 reinterpret_cast<sockaddr*>(&address), &length);
  if (got < 0) return false;
  if (peers_.size() >= most_peers && !peers_.contains(name_of(address))) return true;
  on_datagram(peer_at(address), {bytes.data(), static_cast<std::size_t>(got)});
  return true;
}

DatagramHost::Peer& DatagramHost::peer_at(const sockaddr_in& address) {
  Peer& peer = peers_[name_of(address)];
  if (peer.number == 0) {
    peer.address = address;
    peer.number = peers_.size();
    recorder_.connected(peer.number, ntohs(address.sin_port));
  }
  return peer;
}

void DatagramHost::on_datagram(Peer& peer, base::ByteView datagram) {
  recorder_.crossed(peer.number, Crossing::Kind::received, datagram);
  Message message;
  message.connection = peer.number;
  message.number = ++peer.messages;
  message.operation = requested_by(options_.expected, datagram);
  message.request.assign(datagram.begin(), datagram.end());
  const model::Time now = clock_.now();
  message.bytes = service_.answer(datagram, now);
  recorder_.requested(peer.number, message.operation, datagram);
  if (message.operation == nullptr) recorder_.judge().not_a_request(peer.number, datagram);
  recorder_.made(message);
  Treatment treatment = options_.disturbance->treat(message);
  if (undisturbed_) {
    base::Bytes expected = undisturbed_->answer(datagram, now);
    if (expected != message.bytes) {
      treatment.reach = Reach::performed;
      treatment.what = "the server answers otherwise than the client expects";
      message.bytes = std::move(expected);
    }
  }
  const Recorder::Mark mark = recorder_.changed(message, treatment);
  if (treatment.steps.empty()) recorder_.performed(mark);
  if (peer.steps.size() > most_steps) return;
  for (Step& step : treatment.steps) peer.steps.push_back({std::move(step)});
  if (treatment.steps.empty()) return;
  peer.steps.back().mark = mark;
  peer.steps.back().request = message.request;
  perform(peer);
}

void DatagramHost::perform(Peer& peer) {
  while (!peer.steps.empty() && Clock::now() >= peer.not_before) {
    Due due = std::move(peer.steps.front());
    peer.steps.pop_front();
    if (due.step.kind == Step::Kind::pause) {
      peer.not_before = Clock::now() + due.step.time;
      continue;
    }
    if (due.step.kind == Step::Kind::hold && !peer.held) {
      peer.held_until = Clock::now() + due.step.time;
      peer.held = std::move(due);
      continue;
    }
    send_to(peer, due);
    if (!peer.held) continue;
    // It is overtaken by the one that was sent just now.
    recorder_.joined(peer.held->mark);
    send_to(peer, *peer.held);
    peer.held.reset();
  }
  if (peer.held && Clock::now() >= peer.held_until) {
    send_to(peer, *peer.held);
    peer.held.reset();
  }
}

void DatagramHost::send_to(const Peer& peer, const Due& due) {
  const std::uint64_t times = due.step.kind == Step::Kind::flood ? due.step.times : 1;
  for (std::uint64_t i = 0; i < times; ++i) {
    ::sendto(socket_.get(), due.step.bytes.data(), due.step.bytes.size(), MSG_DONTWAIT,
             reinterpret_cast<const sockaddr*>(&peer.address), sizeof peer.address);
    recorder_.crossed(peer.number, Crossing::Kind::sent, due.step.bytes);
  }
  if (!due.request.empty()) recorder_.judge().answered(peer.number, due.request);
  recorder_.performed(due.mark);
}

base::Result<std::unique_ptr<Host>> start_host(HostOptions options) {
  const auto start = [](auto host) -> base::Result<std::unique_ptr<Host>> {
    const auto started = host->start();
    if (!started) return started.error();
    return std::unique_ptr<Host>(std::move(host));
  };
  if (options.served.over_datagrams())
    return start(std::make_unique<DatagramHost>(std::move(options)));
  return start(std::make_unique<StreamHost>(std::move(options)));
}

}  // namespace hallmark::clients
