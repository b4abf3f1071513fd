#include "base/waker.hpp"

#include <gmock/gmock.h>
#include <poll.h>

namespace hallmark::base {
namespace {

bool readable(const Waker& waker) {
  pollfd waiting{waker.fd(), POLLIN, 0};
  return ::poll(&waiting, 1, 0) == 1;
}

TEST(Waker, IsReadableFromWakeUntilClear) {
  const Waker waker;
  EXPECT_FALSE(readable(waker));
  waker.wake();
  waker.wake();
  EXPECT_TRUE(readable(waker));
  waker.clear();
  EXPECT_FALSE(readable(waker));
  waker.clear();
  EXPECT_FALSE(readable(waker));
}

}  // namespace
}  // namespace hallmark::base
