#pragma once

#include <chrono>

#include "conformance/drivers/stream/network.hpp"

/// The clock of the system, and waiting by it: for the sockets, pipes and processes of real
/// targets.
namespace hallmark::conformance {

Time monotonic_now();
void sleep_until(Time until);

/// Returns the time left until then; 0 if that is past.
std::chrono::nanoseconds time_left(Time until);

/// The events (of poll) that came; none when `until` came first.
short wait_for(int fd, short events, Time until);

}  // namespace hallmark::conformance
