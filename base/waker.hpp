#pragma once
#include "base/descriptor.hpp"

namespace hallmark::base {

/// Wakes whoever waits for a descriptor, by poll(2) or epoll(7), from another thread or from a
/// signal handler: an eventfd(2).
class Waker {
 public:
  /// Throws std::system_error when the system has no descriptors left.
  Waker();

  /// Readable from `wake` until `clear`.
  int fd() const noexcept { return event_.get(); }
  void wake() const noexcept;
  void clear() const noexcept;

 private:
  Descriptor event_;
};

}  // namespace hallmark::base
