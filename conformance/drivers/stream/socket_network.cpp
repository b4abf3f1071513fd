#include "conformance/drivers/stream/socket_network.hpp"

#include <fmt/format.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/un.h>

#include <array>
#include <cerrno>
#include <cstring>

#include "base/descriptor.hpp"
#include "conformance/engine/clock.hpp"

namespace hallmark::conformance {
namespace {

class SocketLink : public Link {
 public:
  /// `is_reset`: the target has accepted the connection and reset it already.
  explicit SocketLink(base::Descriptor socket, bool is_reset = false)
      : socket_(std::move(socket)), is_reset_(is_reset) {}

  Dispatch send(base::ByteView bytes, Time until) override {
    while (!bytes.empty()) {
      const ssize_t sent =
          ::send(socket_.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
      if (sent >= 0) {
        bytes = bytes.subspan(static_cast<std::size_t>(sent));
      } else if (errno == EAGAIN) {
        if (!make_room(until)) return Dispatch::timed_out;
      } else if (errno != EINTR) {
        return Dispatch::refused;
      }
    }
    return Dispatch::sent;
  }

  std::size_t offer(base::ByteView bytes) override {
    std::size_t taken = 0;
    while (taken < bytes.size()) {
      const ssize_t sent = ::send(socket_.get(), bytes.data() + taken, bytes.size() - taken,
                                  MSG_NOSIGNAL | MSG_DONTWAIT);
      if (sent >= 0) {
        taken += static_cast<std::size_t>(sent);
      } else if (errno != EINTR) {
        break;
      }
    }
    return taken;
  }

  Arrival receive(base::Bytes& into, Time until) override {
    if (is_reset_) return Arrival::reset;
    if (!inbox_.empty()) {
      into.insert(into.end(), inbox_.begin(), inbox_.end());
      inbox_.clear();
      return Arrival::bytes;
    }
    if (wait_for(socket_.get(), POLLIN, until) == 0) return Arrival::timed_out;
    return read_some(into);
  }

  void finish_sending() override { ::shutdown(socket_.get(), SHUT_WR); }

  void reset() override {
    const linger at_once{1, 0};
    setsockopt(socket_.get(), SOL_SOCKET, SO_LINGER, &at_once, sizeof(at_once));
    const base::Descriptor closes_now(std::move(socket_));
  }

 private:
  /// A target that answers while we still send must be listened to, or both sides wait for ever.
  bool make_room(Time until) {
    constexpr std::size_t most_ahead = std::size_t{16} << 20;
    const short events = inbox_.size() < most_ahead && !ended_ ? POLLIN | POLLOUT : POLLOUT;
    const short ready = wait_for(socket_.get(), events, until);
    if (ready == 0) return false;
    if ((ready & POLLIN) != 0) ended_ = read_some(inbox_) != Arrival::bytes;
    return true;
  }

  Arrival read_some(base::Bytes& into) {
    std::array<std::uint8_t, 16384> chunk;
    for (;;) {
      const ssize_t got = ::recv(socket_.get(), chunk.data(), chunk.size(), MSG_DONTWAIT);
      if (got > 0) {
        into.insert(into.end(), chunk.begin(), chunk.begin() + got);
        return Arrival::bytes;
      }
      if (got == 0) return Arrival::closed;
      if (errno == EAGAIN) return Arrival::timed_out;
      if (errno != EINTR) return Arrival::reset;
    }
  }

  base::Descriptor socket_;
  bool is_reset_;
  base::Bytes inbox_;
  bool ended_ = false;
};

}  // namespace

using OpenedNetwork = base::Expected<std::unique_ptr<SocketNetwork>, std::string>;

OpenedNetwork SocketNetwork::to(const base::TcpEndpoint& target) {
  const std::string name = to_string(target);
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  addrinfo* found = nullptr;
  const int error =
      getaddrinfo(target.host.c_str(), std::to_string(target.port).c_str(), &hints, &found);
  if (error != 0) return fmt::format("cannot find {}: {}", name, gai_strerror(error));
  std::unique_ptr<SocketNetwork> network(new SocketNetwork(name));
  for (const addrinfo* one = found; one != nullptr; one = one->ai_next) {
    Address& address = network->addresses_.emplace_back();
    std::memcpy(&address.storage, one->ai_addr, one->ai_addrlen);
    address.size = one->ai_addrlen;
  }
  freeaddrinfo(found);
  return network;
}

OpenedNetwork SocketNetwork::to(const base::UnixEndpoint& target) {
  std::unique_ptr<SocketNetwork> network(new SocketNetwork(to_string(target)));
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  target.path.copy(address.sun_path, sizeof(address.sun_path) - 1);
  Address& stored = network->addresses_.emplace_back();
  std::memcpy(&stored.storage, &address, sizeof(address));
  stored.size = sizeof(address);
  return network;
}

LinkResult SocketNetwork::connect(Time until) {
  std::string error = "no address";
  for (const Address& address : addresses_) {
    LinkResult link = connect_to(address, until);
    if (link) return link;
    error = link.error();
  }
  return fmt::format("cannot connect to {}: {}", name_, error);
}

LinkResult SocketNetwork::connect_to(const Address& address, Time until) {
  base::Descriptor socket(
      ::socket(address.storage.ss_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  if (socket.get() < 0) return base::errno_text(errno);
  const int on = 1;
  if (address.storage.ss_family != AF_UNIX) {
    setsockopt(socket.get(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
  }
  const auto* const to = reinterpret_cast<const sockaddr*>(&address.storage);
  while (::connect(socket.get(), to, address.size) != 0) {
    if (errno == EINPROGRESS) {
      if (wait_for(socket.get(), POLLOUT, until) == 0) return std::string("no answer in time");
      int error = 0;
      socklen_t size = sizeof(error);
      getsockopt(socket.get(), SOL_SOCKET, SO_ERROR, &error, &size);
      // Who refuses connections says ECONNREFUSED. A reset that comes soon after the acceptance is
      // seen here or by the first use of the connection, as chance has it.
      if (error == ECONNRESET)
        return std::unique_ptr<Link>(std::make_unique<SocketLink>(std::move(socket), true));
      if (error != 0) return base::errno_text(error);
      break;
    }
    // A Unix socket whose backlog is full says EAGAIN and cannot be waited for.
    if (errno != EINTR && errno != EAGAIN) return base::errno_text(errno);
    if (now() >= until) return std::string("no answer in time");
  }
  return std::unique_ptr<Link>(std::make_unique<SocketLink>(std::move(socket)));
}

Time SocketNetwork::now() const { return monotonic_now(); }

void SocketNetwork::wait_until(Time until) { sleep_until(until); }

}  // namespace hallmark::conformance
