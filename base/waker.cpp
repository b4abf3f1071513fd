#include "base/waker.hpp"

#include <sys/eventfd.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <system_error>

namespace hallmark::base {

Waker::Waker() : event_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
  if (!event_.open()) throw std::system_error(errno, std::generic_category(), "eventfd");
}

void Waker::wake() const noexcept {
  const std::uint64_t one = 1;
  // Fails only when the counter is full, and then the other side is awake already.
  [[maybe_unused]] const auto written = ::write(event_.get(), &one, sizeof one);
}

void Waker::clear() const noexcept {
  std::uint64_t count = 0;
  [[maybe_unused]] const auto read = ::read(event_.get(), &count, sizeof count);
}

}  // namespace hallmark::base
