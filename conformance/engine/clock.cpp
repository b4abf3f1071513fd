#include "conformance/engine/clock.hpp"

#include <poll.h>

#include <algorithm>
#include <cerrno>
#include <ctime>

namespace hallmark::conformance {
namespace {

constexpr Time second = 1'000'000'000;

timespec timespec_of(Time time) {
  return {static_cast<time_t>(time / second), static_cast<long>(time % second)};
}

}  // namespace

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

std::chrono::nanoseconds time_left(Time until) {
  const Time now = monotonic_now();
  constexpr Time centuries = Time{1} << 62;
  return std::chrono::nanoseconds(until > now ? std::min(until - now, centuries) : 0);
}

short wait_for(int fd, short events, Time until) {
  pollfd waiting{fd, events, 0};
  for (;;) {
    const timespec left = timespec_of(static_cast<Time>(time_left(until).count()));
    const int ready = ppoll(&waiting, 1, &left, nullptr);
    if (ready > 0) return waiting.revents;
    if (ready == 0) return 0;
    if (errno != EINTR) return POLLERR;
  }
}

}  // namespace hallmark::conformance
