#pragma once
#include <sys/epoll.h>

#include <array>
#include <cstdint>

#include "base/descriptor.hpp"

namespace hallmark::server {

/// Waits until one of several descriptors can be read.
class Readiness {
 public:
  bool is_open() const { return epoll_.open(); }

  bool add(int descriptor, std::uint64_t number) {
    epoll_event event{};
    event.events = EPOLLIN;
    event.data.u64 = number;
    return ::epoll_ctl(epoll_.get(), EPOLL_CTL_ADD, descriptor, &event) == 0;
  }

  /// Calls `ready(number)` for each that can be read.
  template <class Ready>
  void wait(Ready&& ready) {
    std::array<epoll_event, 16> events{};
    const int count =
        ::epoll_wait(epoll_.get(), events.data(), static_cast<int>(events.size()), -1);
    for (int i = 0; i < count; ++i) ready(events[static_cast<std::size_t>(i)].data.u64);
  }

 private:
  base::Descriptor epoll_{::epoll_create1(EPOLL_CLOEXEC)};
};

}  // namespace hallmark::server
