#pragma once

#include <string>

#include "conformance/network.hpp"

/// What sockets of streams and of datagrams need of the system.
namespace hallmark::conformance {

/// Closes the file descriptor when it goes away.
class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  Descriptor(Descriptor&& other) noexcept;
  Descriptor& operator=(Descriptor&&) = delete;
  ~Descriptor();
  int get() const { return fd_; }

 private:
  int fd_;
};

Time monotonic_now();
void sleep_until(Time until);

/// The events (of poll) that came; none when `until` came first.
short wait_for(int fd, short events, Time until);

/// What an error number means.
std::string error_text(int error);

}  // namespace hallmark::conformance
