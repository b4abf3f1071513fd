#pragma once

#include <sys/socket.h>

#include <string>
#include <variant>

#include "base/descriptor.hpp"
#include "base/endpoint.hpp"
#include "base/socket_file.hpp"
#include "pcapng/frames.hpp"

/// Sockets of the relays: none of them blocks, and all are closed in child processes.
namespace hallmark::observe {

/// An endpoint to listen on or to forward to.
using Endpoint = std::variant<base::TcpEndpoint, base::UnixEndpoint, base::UdpEndpoint>;

inline bool is_datagram(const Endpoint& endpoint) {
  return std::holds_alternative<base::UdpEndpoint>(endpoint);
}

/// An address as the system takes it.
struct SocketAddress {
  sockaddr_storage storage{};
  socklen_t length = sizeof(sockaddr_storage);

  sockaddr* get() { return reinterpret_cast<sockaddr*>(&storage); }
  const sockaddr* get() const { return reinterpret_cast<const sockaddr*>(&storage); }
  int family() const { return storage.ss_family; }
  friend bool operator==(const SocketAddress& a, const SocketAddress& b);
};

/// The address that a capture shows. An end of a Unix socket has no address, so it gets one of the
/// loopback, with `port` and `host` (pcapng::loopback).
pcapng::Address address_of(const SocketAddress& address, std::uint16_t port, std::uint32_t host);

struct Listener {
  base::Descriptor socket{};
  SocketAddress address{};  ///< with the port that the system chose
  std::string name{};       ///< the endpoint as people write it
  base::SocketFile file{};  ///< of a Unix socket
};

/// Error, as for all of these: one line that names the endpoint and the reason.
base::Result<Listener> listen_at(const Endpoint& endpoint);

/// The address of a target: of a stream, one that takes a connection now, of several the first.
base::Result<SocketAddress> reach(const Endpoint& target);

/// A stream towards that address that is being connected. Not open: the system refused, see errno.
base::Descriptor start_connecting(const SocketAddress& address);

/// A UDP socket for datagrams to and from that address alone.
base::Descriptor open_datagrams_to(const SocketAddress& address);

/// Sends segments at once; nothing for other sockets.
void send_at_once(int socket);
/// Closing it breaks the connection off, so that the peer sees a reset.
void break_off_at_close(int socket);

SocketAddress peer_of(int socket);

}  // namespace hallmark::observe
