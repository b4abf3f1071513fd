#include "conformance/drivers/datagram/socket_datagrams.hpp"

#include <fmt/format.h>
#include <netdb.h>
#include <poll.h>

#include <array>
#include <cerrno>
#include <cstring>

#include "base/descriptor.hpp"
#include "conformance/engine/clock.hpp"

namespace hallmark::conformance {
namespace {

class SocketDatagramLink : public DatagramLink {
 public:
  explicit SocketDatagramLink(base::Descriptor socket) : socket_(std::move(socket)) {}

  Dispatch send(base::ByteView datagram) override {
    for (;;) {
      const ssize_t sent = ::send(socket_.get(), datagram.data(), datagram.size(), 0);
      if (sent >= 0) return Dispatch::sent;
      // An earlier datagram was refused: the error is told at the next call, and only once.
      if (errno == ECONNREFUSED && !refused_) {
        refused_ = true;
      } else if (errno != EINTR) {
        return Dispatch::refused;
      }
    }
  }

  DatagramArrival receive(base::Bytes& into, Time until) override {
    std::array<std::uint8_t, 65536> memory;
    for (;;) {
      const ssize_t got = ::recv(socket_.get(), memory.data(), memory.size(), MSG_DONTWAIT);
      if (got >= 0) {
        refused_ = false;
        into.assign(memory.begin(), memory.begin() + got);
        return DatagramArrival::datagram;
      }
      if (errno == EINTR) continue;
      if (errno != EAGAIN) return DatagramArrival::refused;
      if (wait_for(socket_.get(), POLLIN, until) == 0) return DatagramArrival::timed_out;
    }
  }

 private:
  base::Descriptor socket_;
  bool refused_ = false;
};

}  // namespace

base::Expected<std::unique_ptr<SocketDatagrams>, std::string> SocketDatagrams::to(
    const base::UdpEndpoint& target) {
  const std::string name = to_string(target);
  addrinfo hints{};
  hints.ai_socktype = SOCK_DGRAM;
  addrinfo* found = nullptr;
  const int error =
      getaddrinfo(target.host.c_str(), std::to_string(target.port).c_str(), &hints, &found);
  if (error != 0) return fmt::format("cannot find {}: {}", name, gai_strerror(error));
  std::unique_ptr<SocketDatagrams> network(new SocketDatagrams(name));
  std::memcpy(&network->address_, found->ai_addr, found->ai_addrlen);
  network->address_size_ = found->ai_addrlen;
  freeaddrinfo(found);
  return network;
}

DatagramLinkResult SocketDatagrams::open() {
  base::Descriptor socket(::socket(address_.ss_family, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  const auto* const to = reinterpret_cast<const sockaddr*>(&address_);
  if (socket.get() < 0 || ::connect(socket.get(), to, address_size_) != 0)
    return fmt::format("no socket to {}: {}", name_, base::errno_text(errno));
  return std::unique_ptr<DatagramLink>(std::make_unique<SocketDatagramLink>(std::move(socket)));
}

Time SocketDatagrams::now() const { return monotonic_now(); }

void SocketDatagrams::wait_until(Time until) { sleep_until(until); }

}  // namespace hallmark::conformance
