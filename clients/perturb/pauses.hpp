#pragma once

#include <algorithm>
#include <chrono>

namespace hallmark::clients {

/// Time that a disturbance may spend waiting, so that however much a client asks, a run takes
/// hardly longer than without it.
class Pauses {
 public:
  explicit Pauses(std::chrono::nanoseconds budget = std::chrono::milliseconds(250))
      : left_(budget) {}

  /// At most what is left.
  std::chrono::nanoseconds take(std::chrono::nanoseconds wanted) {
    const auto taken = std::min(wanted, left_);
    left_ -= taken;
    return taken;
  }

 private:
  std::chrono::nanoseconds left_;
};

}  // namespace hallmark::clients
