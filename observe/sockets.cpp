#include "observe/sockets.hpp"

#include <fmt/format.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>
#include <optional>
#include <vector>

namespace hallmark::observe {
namespace {

using base::Descriptor;
using base::Error;
using base::Result;

constexpr int backlog = 4096;
constexpr int patience_ms = 5000;
constexpr int datagram_buffer_bytes = 4 << 20;

Error cannot(std::string_view what, const Endpoint& endpoint, std::string_view why) {
  return {fmt::format("cannot {} {}: {}", what, base::to_string(endpoint), why)};
}

SocketAddress unix_address(const std::string& path) {
  sockaddr_un local{};
  local.sun_family = AF_UNIX;
  std::memcpy(local.sun_path, path.data(), std::min(path.size(), sizeof local.sun_path - 1));
  SocketAddress address;
  std::memcpy(&address.storage, &local, sizeof local);
  address.length = sizeof local;
  return address;
}

/// The address as one of its family.
template <class Address>
Address address_as(const SocketAddress& address) {
  Address own{};
  std::memcpy(&own, &address.storage, sizeof own);
  return own;
}

/// All addresses of a name.
Result<std::vector<SocketAddress>> resolve(const Endpoint& endpoint) {
  if (const auto* const local = std::get_if<base::UnixEndpoint>(&endpoint))
    return std::vector{unix_address(local->path)};
  const auto* const udp = std::get_if<base::UdpEndpoint>(&endpoint);
  const auto* const tcp = std::get_if<base::TcpEndpoint>(&endpoint);
  const std::string& host = udp != nullptr ? udp->host : tcp->host;
  const std::string port = fmt::to_string(udp != nullptr ? udp->port : tcp->port);
  addrinfo wanted{};
  wanted.ai_socktype = udp != nullptr ? SOCK_DGRAM : SOCK_STREAM;
  wanted.ai_flags = AI_NUMERICSERV;
  addrinfo* found = nullptr;
  const int failed = ::getaddrinfo(host.c_str(), port.c_str(), &wanted, &found);
  if (failed != 0) return cannot("resolve", endpoint, ::gai_strerror(failed));
  const std::unique_ptr<addrinfo, decltype(&::freeaddrinfo)> owner(found, &::freeaddrinfo);
  std::vector<SocketAddress> all;
  for (const addrinfo* one = found; one != nullptr; one = one->ai_next) {
    SocketAddress address;
    std::memcpy(&address.storage, one->ai_addr, one->ai_addrlen);
    address.length = one->ai_addrlen;
    all.push_back(address);
  }
  return all;
}

Descriptor open_socket(const SocketAddress& address, int type) {
  return Descriptor(::socket(address.family(), type | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
}

/// Privileged processes get all of it, others what net.core.rmem_max allows.
void enlarge_receive_buffer(int socket) {
  for (const int option : {SO_RCVBUFFORCE, SO_RCVBUF}) {
    const int bytes = datagram_buffer_bytes;
    if (::setsockopt(socket, SOL_SOCKET, option, &bytes, sizeof bytes) == 0) return;
  }
}

std::uint16_t port_of(const SocketAddress& address) {
  return ntohs(address.family() == AF_INET ? address_as<sockaddr_in>(address).sin_port
                                           : address_as<sockaddr_in6>(address).sin6_port);
}

/// The endpoint with the port that the system chose.
std::string name_of(Endpoint endpoint, const SocketAddress& address) {
  if (auto* const udp = std::get_if<base::UdpEndpoint>(&endpoint)) udp->port = port_of(address);
  if (auto* const tcp = std::get_if<base::TcpEndpoint>(&endpoint)) tcp->port = port_of(address);
  return base::to_string(endpoint);
}

/// 0 when the connection stands; otherwise the reason.
int wait_until_connected(const Descriptor& socket) {
  pollfd waiting{socket.get(), POLLOUT, 0};
  if (::poll(&waiting, 1, patience_ms) != 1) return ETIMEDOUT;
  int reason = 0;
  socklen_t length = sizeof reason;
  ::getsockopt(socket.get(), SOL_SOCKET, SO_ERROR, &reason, &length);
  return reason;
}

int try_connecting(const SocketAddress& address) {
  const Descriptor socket = open_socket(address, SOCK_STREAM);
  if (!socket.open()) return errno;
  if (::connect(socket.get(), address.get(), address.length) == 0) return 0;
  return errno == EINPROGRESS ? wait_until_connected(socket) : errno;
}

}  // namespace

bool operator==(const SocketAddress& a, const SocketAddress& b) {
  return a.length == b.length && std::memcmp(&a.storage, &b.storage, a.length) == 0;
}

pcapng::Address address_of(const SocketAddress& address, std::uint16_t port, std::uint32_t host) {
  pcapng::Address made;
  if (address.family() == AF_INET) {
    const auto ipv4 = address_as<sockaddr_in>(address);
    std::memcpy(made.ip.data(), &ipv4.sin_addr, 4);
  } else if (address.family() == AF_INET6) {
    const auto ipv6 = address_as<sockaddr_in6>(address);
    std::memcpy(made.ip.data(), &ipv6.sin6_addr, 16);
    made.v6 = true;
  } else {
    return pcapng::loopback(port, host);
  }
  made.port = port_of(address);
  return made;
}

Result<Listener> listen_at(const Endpoint& endpoint) {
  const auto addresses = resolve(endpoint);
  if (!addresses) return addresses.error();
  const SocketAddress& address = addresses->front();
  Listener made;
  made.socket = open_socket(address, is_datagram(endpoint) ? SOCK_DGRAM : SOCK_STREAM);
  const int number = made.socket.get();
  const auto failed = [&] { return cannot("listen on", endpoint, base::errno_text(errno)); };
  if (!made.socket.open()) return failed();
  if (is_datagram(endpoint)) {
    enlarge_receive_buffer(number);
  } else if (address.family() != AF_UNIX) {
    const int yes = 1;
    ::setsockopt(number, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  }
  if (::bind(number, address.get(), address.length) != 0) return failed();
  if (const auto* const local = std::get_if<base::UnixEndpoint>(&endpoint))
    made.file = base::SocketFile(local->path);
  if (!is_datagram(endpoint) && ::listen(number, backlog) != 0) return failed();
  ::getsockname(number, made.address.get(), &made.address.length);
  made.name = name_of(endpoint, made.address);
  return made;
}

Result<SocketAddress> reach(const Endpoint& target) {
  const auto addresses = resolve(target);
  if (!addresses) return addresses.error();
  if (is_datagram(target)) return addresses->front();
  int reason = 0;
  for (const SocketAddress& address : *addresses) {
    reason = try_connecting(address);
    if (reason == 0) return address;
  }
  return cannot("reach", target, base::errno_text(reason));
}

Descriptor start_connecting(const SocketAddress& address) {
  Descriptor socket = open_socket(address, SOCK_STREAM);
  if (!socket.open()) return socket;
  send_at_once(socket.get());
  const bool under_way =
      ::connect(socket.get(), address.get(), address.length) == 0 || errno == EINPROGRESS;
  return under_way ? std::move(socket) : Descriptor();
}

Descriptor open_datagrams_to(const SocketAddress& address) {
  Descriptor socket = open_socket(address, SOCK_DGRAM);
  if (!socket.open()) return socket;
  enlarge_receive_buffer(socket.get());
  if (::connect(socket.get(), address.get(), address.length) != 0) return {};
  return socket;
}

void send_at_once(int socket) {
  const int yes = 1;
  ::setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
}

void break_off_at_close(int socket) {
  const linger none{1, 0};
  ::setsockopt(socket, SOL_SOCKET, SO_LINGER, &none, sizeof none);
}

SocketAddress peer_of(int socket) {
  SocketAddress address;
  ::getpeername(socket, address.get(), &address.length);
  return address;
}

}  // namespace hallmark::observe
