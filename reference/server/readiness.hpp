#pragma once
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdint>

namespace hallmark::server {

/// Waits until one of several descriptors can be read.
class Readiness {
 public:
  Readiness() = default;
  Readiness(const Readiness&) = delete;
  Readiness& operator=(const Readiness&) = delete;
  ~Readiness() {
    if (epoll_ >= 0) ::close(epoll_);
  }

  bool is_open() const { return epoll_ >= 0; }

  bool add(int descriptor, std::uint64_t number) {
    epoll_event event{};
    event.events = EPOLLIN;
    event.data.u64 = number;
    return ::epoll_ctl(epoll_, EPOLL_CTL_ADD, descriptor, &event) == 0;
  }

  /// Calls `ready(number)` for each that can be read.
  template <class Ready>
  void wait(Ready&& ready) {
    std::array<epoll_event, 16> events{};
    const int count = ::epoll_wait(epoll_, events.data(), static_cast<int>(events.size()), -1);
    for (int i = 0; i < count; ++i) ready(events[static_cast<std::size_t>(i)].data.u64);
  }

 private:
  int epoll_ = ::epoll_create1(EPOLL_CLOEXEC);
};

/// Can be read from when somebody has rung it.
class Bell {
 public:
  Bell() = default;
  Bell(const Bell&) = delete;
  Bell& operator=(const Bell&) = delete;
  ~Bell() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }

  int descriptor() const { return descriptor_; }
  void ring() {
    const std::uint64_t once = 1;
    while (::write(descriptor_, &once, sizeof once) < 0 && errno == EINTR) {
    }
  }

 private:
  int descriptor_ = ::eventfd(0, EFD_CLOEXEC);
};

}  // namespace hallmark::server
