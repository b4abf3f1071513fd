#include "proxy/sockets.hpp"

#include <linux/sock_diag.h>
#include <sys/socket.h>

#include <array>

namespace hallmark::proxy {
namespace {

constexpr int receive_buffer_bytes = 4 << 20;

/// Privileged processes get all of it, others what net.core.rmem_max allows. Less serves as well:
/// what finds no room is counted.
void enlarge_receive_buffer(int socket) {
  for (const int option : {SO_RCVBUFFORCE, SO_RCVBUF}) {
    const int bytes = receive_buffer_bytes;
    if (::setsockopt(socket, SOL_SOCKET, option, &bytes, sizeof bytes) == 0) return;
  }
}

error_code open(UdpSocket& socket, const Udp& protocol) {
  error_code error;
  socket.open(protocol, error);
  if (!error) socket.non_blocking(true, error);
  if (!error) enlarge_receive_buffer(socket.native_handle());
  return error;
}

}  // namespace

error_code open_listening(UdpSocket& socket, const Udp::endpoint& local) {
  error_code error = open(socket, local.protocol());
  if (!error) socket.bind(local, error);
  return error;
}

error_code open_connected(UdpSocket& socket, const Udp::endpoint& peer) {
  error_code error = open(socket, peer.protocol());
  if (!error) socket.connect(peer, error);
  return error;
}

std::uint64_t missed_on(UdpSocket& socket) {
  std::array<std::uint32_t, SK_MEMINFO_VARS> values{};
  socklen_t length = sizeof values;
  if (::getsockopt(socket.native_handle(), SOL_SOCKET, SO_MEMINFO, values.data(), &length) != 0) {
    return 0;
  }
  return values[SK_MEMINFO_DROPS];
}

}  // namespace hallmark::proxy
