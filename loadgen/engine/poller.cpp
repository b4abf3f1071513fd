#include "loadgen/engine/poller.hpp"

#include <algorithm>
#include <cerrno>
#include <climits>
#include <ctime>
#include <system_error>

#include "base/nanoseconds.hpp"

namespace hallmark::loadgen {
namespace {

constexpr std::int64_t nanoseconds_per_millisecond = 1'000'000;

int checked(int result, const char* what) {
  if (result < 0) throw std::system_error(errno, std::generic_category(), what);
  return result;
}

}  // namespace

Poller::Poller() : epoll_(checked(epoll_create1(EPOLL_CLOEXEC), "epoll_create1")) {}

void Poller::add(int fd, std::uint32_t token) {
  epoll_event event{EPOLLIN, {.u32 = token}};
  checked(epoll_ctl(epoll_.get(), EPOLL_CTL_ADD, fd, &event), "epoll_ctl");
}

void Poller::want_write(int fd, std::uint32_t token, bool wanted) {
  const std::uint32_t interest = wanted ? EPOLLIN | EPOLLOUT : EPOLLIN;
  epoll_event event{interest, {.u32 = token}};
  checked(epoll_ctl(epoll_.get(), EPOLL_CTL_MOD, fd, &event), "epoll_ctl");
}

void Poller::remove(int fd) noexcept { epoll_ctl(epoll_.get(), EPOLL_CTL_DEL, fd, nullptr); }

int Poller::wait_for(std::int64_t timeout_ns) {
  const int room = static_cast<int>(events_.size());
  if (to_the_nanosecond_) {
    const timespec timeout{timeout_ns / base::second_ns, timeout_ns % base::second_ns};
    const int n = epoll_pwait2(epoll_.get(), events_.data(), room, &timeout, nullptr);
    // EPERM: so do filters of containers that do not know the call.
    if (n >= 0 || (errno != ENOSYS && errno != EPERM)) return n;
    to_the_nanosecond_ = false;
  }
  const auto whole = std::min<std::int64_t>(timeout_ns / nanoseconds_per_millisecond, INT_MAX);
  return epoll_wait(epoll_.get(), events_.data(), room, static_cast<int>(whole));
}

std::span<const epoll_event> Poller::wait(std::int64_t timeout_ns) {
  // The system takes less than nothing for an error, or for ever.
  const int n = wait_for(std::max<std::int64_t>(timeout_ns, 0));
  if (n < 0 && errno != EINTR) throw std::system_error(errno, std::generic_category(), "epoll");
  return {events_.data(), n < 0 ? 0U : static_cast<std::size_t>(n)};
}

}  // namespace hallmark::loadgen
