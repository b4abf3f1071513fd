#include "loadgen/drivers/datagram/socket.hpp"

#include <fmt/format.h>
#include <linux/sock_diag.h>
#include <netdb.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "base/descriptor.hpp"
#include "base/local_resources.hpp"
#include "loadgen/client/socket_times.hpp"

namespace hallmark::loadgen::datagram {
namespace {

using base::Error;
using base::Result;

Error system_error(std::string_view what) {
  const int error = errno;
  return {fmt::format("{}: {}", what, base::with_remedy(base::errno_text(error), error))};
}

std::uint64_t receive_buffer_of(int fd) {
  int bytes = 0;
  socklen_t size = sizeof bytes;
  getsockopt(fd, SOL_SOCKET, SO_RCVBUF, &bytes, &size);
  return static_cast<std::uint64_t>(std::max(0, bytes));
}

}  // namespace

Result<Address> resolve(const base::UdpEndpoint& target) {
  addrinfo wanted{};
  wanted.ai_socktype = SOCK_DGRAM;
  wanted.ai_flags = AI_NUMERICSERV;
  addrinfo* found = nullptr;
  const auto port = std::to_string(target.port);
  if (const int failed = getaddrinfo(target.host.c_str(), port.c_str(), &wanted, &found)) {
    return Error{gai_strerror(failed)};
  }
  Address address;
  std::memcpy(&address.bytes, found->ai_addr, found->ai_addrlen);
  address.size = found->ai_addrlen;
  freeaddrinfo(found);
  return address;
}

Result<Socket> connect(const Address& address, std::uint64_t receive_buffer,
                       const std::string& source) {
  Socket made{base::Descriptor{
      ::socket(address.bytes.ss_family, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0)}};
  const int fd = made.descriptor.get();
  if (fd < 0) return system_error("cannot open a socket");
  const int asked = static_cast<int>(std::min<std::uint64_t>(receive_buffer, INT32_MAX));
  const int on = 1;
  setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &asked, sizeof asked);
  setsockopt(fd, SOL_SOCKET, SO_RXQ_OVFL, &on, sizeof on);
  ask_for_receive_times(fd);
  made.receive_buffer = receive_buffer_of(fd);
  if (!source.empty()) {
    const auto own = resolve({source, 0});
    if (!own) return own.error();
    if (::bind(fd, reinterpret_cast<const sockaddr*>(&own->bytes), own->size) != 0)
      return system_error(fmt::format("cannot use the address {}", source));
  }
  if (::connect(fd, reinterpret_cast<const sockaddr*>(&address.bytes), address.size) != 0) {
    if (errno == EAGAIN) errno = EADDRNOTAVAIL;  // so it says of datagrams that no port is left
    return system_error("no way to the target");
  }
  return made;
}

// SO_RXQ_OVFL comes with a datagram, so it says nothing of what was dropped behind the last one.
std::uint64_t receive_overflow(int fd) {
  std::array<std::uint32_t, SK_MEMINFO_VARS> memory{};
  socklen_t size = sizeof memory;
  if (getsockopt(fd, SOL_SOCKET, SO_MEMINFO, memory.data(), &size) != 0) return 0;
  return memory[SK_MEMINFO_DROPS];
}

SendBatch::SendBatch() {
  for (std::size_t i = 0; i < most_in_batch; ++i) {
    messages_[i].msg_hdr.msg_iov = &parts_[i];
    messages_[i].msg_hdr.msg_iovlen = 1;
  }
}

int SendBatch::send(int fd, const std::uint8_t* bytes, std::span<const std::uint16_t> sizes) {
  const std::size_t count = std::min(sizes.size(), most_in_batch);
  for (std::size_t i = 0; i < count; ++i) {
    parts_[i] = {const_cast<std::uint8_t*>(bytes), sizes[i]};
    bytes += sizes[i];
  }
  return sendmmsg(fd, messages_.data(), static_cast<unsigned>(count), MSG_DONTWAIT | MSG_NOSIGNAL);
}

ReceiveBatch::ReceiveBatch() : rooms_(std::make_unique<std::array<Room, most_in_batch>>()) {
  for (std::size_t i = 0; i < most_in_batch; ++i) {
    Room& room = (*rooms_)[i];
    parts_[i] = {room.bytes.data(), room.bytes.size()};
    msghdr& header = messages_[i].msg_hdr;
    header.msg_iov = &parts_[i];
    header.msg_iovlen = 1;
    header.msg_control = room.control.data();
    header.msg_controllen = control_bytes;
  }
}

int ReceiveBatch::receive(int fd) {
  const int count = recvmmsg(fd, messages_.data(), most_in_batch, MSG_DONTWAIT, nullptr);
  overflow_ = 0;
  for (int i = 0; i < count; ++i) look_at_control(static_cast<std::size_t>(i));
  return count;
}

// The system leaves the length of what it wrote, and wants to be given the room anew.
void ReceiveBatch::look_at_control(std::size_t i) {
  msghdr& message = messages_[i].msg_hdr;
  received_ns_[i] = stamp_in(message);
  for (cmsghdr* control = CMSG_FIRSTHDR(&message); control != nullptr;
       control = CMSG_NXTHDR(&message, control)) {
    if (control->cmsg_level != SOL_SOCKET || control->cmsg_type != SO_RXQ_OVFL) continue;
    std::uint32_t dropped = 0;
    std::memcpy(&dropped, CMSG_DATA(control), sizeof dropped);
    overflow_ = std::max(overflow_, dropped);
  }
  message.msg_controllen = control_bytes;
}

ReceiveBatch::Datagram ReceiveBatch::at(std::size_t i) const {
  const mmsghdr& message = messages_[i];
  return {{(*rooms_)[i].bytes.data(), message.msg_len},
          (message.msg_hdr.msg_flags & MSG_TRUNC) != 0,
          received_ns_[i]};
}

}  // namespace hallmark::loadgen::datagram
