#include "reference/server/datagram_socket.hpp"

#include <fmt/format.h>
#include <linux/sock_diag.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <array>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/udp.hpp>
#include <cerrno>

namespace hallmark::server {

namespace {

namespace asio = boost::asio;
using asio::ip::udp;
using boost::system::error_code;

base::Error failure(const base::UdpEndpoint& endpoint, const error_code& error) {
  return base::Error{fmt::format("cannot listen on {}: {}", to_string(endpoint), error.message())};
}

error_code last_error() { return {errno, boost::system::system_category()}; }

bool set(int descriptor, int level, int name, int value) {
  return ::setsockopt(descriptor, level, name, &value, sizeof value) == 0;
}

/// Past the system's limit where this process may, otherwise up to it.
void set_receive_buffer(int descriptor, int bytes) {
  if (!set(descriptor, SOL_SOCKET, SO_RCVBUFFORCE, bytes)) {
    set(descriptor, SOL_SOCKET, SO_RCVBUF, bytes);
  }
}

/// On a socket of all addresses: each datagram tells which one it was sent to.
bool tell_addresses(int descriptor, const udp::endpoint& at) {
  if (!at.address().is_unspecified()) return true;
  return at.address().is_v4() ? set(descriptor, IPPROTO_IP, IP_PKTINFO, 1)
                              : set(descriptor, IPPROTO_IPV6, IPV6_RECVPKTINFO, 1);
}

bool bind_to(int descriptor, const udp::endpoint& at) {
  return tell_addresses(descriptor, at) &&
         ::bind(descriptor, at.data(), static_cast<socklen_t>(at.size())) == 0;
}

udp::endpoint local_endpoint(int descriptor) {
  udp::endpoint local;
  auto size = static_cast<socklen_t>(local.capacity());
  if (::getsockname(descriptor, local.data(), &size) == 0) local.resize(size);
  return local;
}

}  // namespace

base::Result<DatagramSocket> DatagramSocket::bind(const base::UdpEndpoint& endpoint,
                                                  int receive_buffer_bytes) {
  error_code error;
  asio::io_context context;
  udp::resolver resolver(context);
  const auto found =
      resolver.resolve(endpoint.host, std::to_string(endpoint.port),
                       udp::resolver::passive | udp::resolver::numeric_service, error);
  if (error) return failure(endpoint, error);
  const udp::endpoint at = found.begin()->endpoint();
  DatagramSocket bound(base::Descriptor(
      ::socket(at.protocol().family(), SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0)));
  if (!bound.descriptor_.open()) return failure(endpoint, last_error());
  set_receive_buffer(bound.descriptor(), receive_buffer_bytes);
  if (!bind_to(bound.descriptor(), at)) return failure(endpoint, last_error());
  const udp::endpoint local = local_endpoint(bound.descriptor());
  bound.endpoint_ = {local.address().to_string(), local.port()};
  return bound;
}

int DatagramSocket::receive_buffer_bytes() const {
  int bytes = 0;
  socklen_t size = sizeof bytes;
  ::getsockopt(descriptor(), SOL_SOCKET, SO_RCVBUF, &bytes, &size);
  return bytes;
}

// The counter that SO_RXQ_OVFL sends along with datagrams: asked for here, it costs nothing for
// each of them, and tells as well what was lost after the last.
std::uint64_t DatagramSocket::dropped() const {
  std::array<std::uint32_t, SK_MEMINFO_VARS> memory{};
  socklen_t size = sizeof memory;
  ::getsockopt(descriptor(), SOL_SOCKET, SO_MEMINFO, memory.data(), &size);
  return memory[SK_MEMINFO_DROPS];
}

}  // namespace hallmark::server
