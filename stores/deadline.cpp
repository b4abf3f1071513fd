#include "stores/deadline.hpp"

#include <poll.h>

#include <algorithm>
#include <cerrno>
#include <limits>

namespace hallmark::stores {

int Deadline::remaining_ms() const {
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(end_ - Clock::now()).count();
  return static_cast<int>(std::clamp<std::int64_t>(left, 0, std::numeric_limits<int>::max()));
}

Readiness await(int descriptor, bool writable_too, const Deadline& deadline) {
  pollfd waiting{descriptor, static_cast<short>(POLLIN | (writable_too ? POLLOUT : 0)), 0};
  while (true) {
    const int count = ::poll(&waiting, 1, deadline.remaining_ms());
    // Any other failure shows when the descriptor is used.
    if (count > 0 || (count < 0 && errno != EINTR)) return Readiness::ready;
    if (count == 0 && deadline.passed()) return Readiness::late;
  }
}

}  // namespace hallmark::stores
