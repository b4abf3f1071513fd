#pragma once
#include <chrono>
#include <cstdint>

namespace hallmark::stores {

/// The moment after which nothing is waited for any more.
class Deadline {
 public:
  using Clock = std::chrono::steady_clock;
  explicit Deadline(std::chrono::milliseconds timeout) : end_(Clock::now() + timeout) {}

  bool passed() const { return Clock::now() >= end_; }
  /// The time left for poll(2): rounded up, at least 0.
  int remaining_ms() const;

 private:
  Clock::time_point end_;
};

enum class Readiness : std::uint8_t { ready, late };

/// Waits until the descriptor is readable, or, if asked for, writable, or broken.
Readiness await(int descriptor, bool writable_too, const Deadline& deadline);

}  // namespace hallmark::stores
