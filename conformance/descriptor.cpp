#include "conformance/descriptor.hpp"

#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <ctime>
#include <system_error>
#include <utility>

namespace hallmark::conformance {
namespace {

constexpr Time second = 1'000'000'000;

timespec timespec_of(Time time) {
  return {static_cast<time_t>(time / second), static_cast<long>(time % second)};
}

}  // namespace

Descriptor::Descriptor(Descriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}

Descriptor::~Descriptor() {
  if (fd_ >= 0) ::close(fd_);
}

Time monotonic_now() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<Time>(now.tv_sec) * second + static_cast<Time>(now.tv_nsec);
}

void sleep_until(Time until) {
  const timespec at = timespec_of(until);
  while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &at, nullptr) == EINTR) {
  }
}

short wait_for(int fd, short events, Time until) {
  pollfd waiting{fd, events, 0};
  for (;;) {
    const Time now = monotonic_now();
    const timespec left = timespec_of(until > now ? until - now : 0);
    const int ready = ppoll(&waiting, 1, &left, nullptr);
    if (ready > 0) return waiting.revents;
    if (ready == 0) return 0;
    if (errno != EINTR) return POLLERR;
  }
}

std::string error_text(int error) {
  return std::error_code(error, std::generic_category()).message();
}

}  // namespace hallmark::conformance
