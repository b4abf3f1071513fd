#pragma once
#include <chrono>

#include "reference/model/time.hpp"

namespace hallmark::server {

/// Wall-clock time that never goes back: read once at the start, then advanced by the steady clock.
class ServerClock {
 public:
  model::Time now() const {
    return started_at_ +
           (std::chrono::steady_clock::now() - steady_start_) / std::chrono::nanoseconds(1);
  }
  model::Time started_at() const { return started_at_; }

 private:
  std::chrono::steady_clock::time_point steady_start_ = std::chrono::steady_clock::now();
  model::Time started_at_ =
      std::chrono::system_clock::now().time_since_epoch() / std::chrono::nanoseconds(1);
};

}  // namespace hallmark::server
