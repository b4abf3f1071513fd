#pragma once
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdint>
#include <span>

namespace hallmark::loadgen {

// recv(2) and send(2) of the C library are cancellation points: in a process with threads each call
// exchanges two atomic words, which took a fifteenth of the client's instructions for a request.
// Threads are never cancelled here.

/// recv(2) without waiting: bytes, 0 at the end of the stream, -1 with errno.
inline ssize_t receive_now(int socket, std::span<std::uint8_t> into) noexcept {
  return ::syscall(SYS_recvfrom, socket, into.data(), into.size(), MSG_DONTWAIT, nullptr, nullptr);
}

/// send(2) without waiting and without a signal: bytes taken, or -1 with errno.
inline ssize_t send_now(int socket, std::span<const std::uint8_t> bytes) noexcept {
  return ::syscall(SYS_sendto, socket, bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT,
                   nullptr, 0);
}

}  // namespace hallmark::loadgen
