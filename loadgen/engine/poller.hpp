#pragma once
#include <sys/epoll.h>

#include <array>
#include <cstdint>
#include <span>

#include "base/descriptor.hpp"

namespace hallmark::loadgen {

/// A level-triggered epoll set: one system call tells which of a worker's sockets can be read, and
/// reading what is there needs no second call to learn that nothing is left.
class Poller {
 public:
  /// Throws std::system_error when the system has no descriptors left.
  Poller();

  void add(int fd, std::uint32_t token);
  /// Says if `wait` also tells when the socket can be written.
  void want_write(int fd, std::uint32_t token, bool wanted);
  void remove(int fd) noexcept;

  /// Waits until something is ready or `timeout_ns` has passed; not at all if that is not above 0.
  /// Before Linux 5.11 it may return up to a millisecond too soon, with nothing.
  std::span<const epoll_event> wait(std::int64_t timeout_ns);

 private:
  /// The same as epoll_wait, with a timeout in nanoseconds.
  int wait_for(std::int64_t timeout_ns);

  base::Descriptor epoll_;
  bool to_the_nanosecond_ = true;  ///< the system has epoll_pwait2
  std::array<epoll_event, 256> events_{};
};

}  // namespace hallmark::loadgen
