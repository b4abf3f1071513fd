#include "loadgen/engine/poller.hpp"

#include <gtest/gtest.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include <cerrno>
#include <chrono>
#include <cstddef>
#include <thread>

#include "base/waker.hpp"

namespace hallmark::loadgen {
namespace {

using std::chrono::milliseconds;
using std::chrono::nanoseconds;
using std::chrono::steady_clock;

/// From now on this thread's system has no epoll_pwait2: it answers with that error.
bool take_epoll_pwait2_away(std::uint32_t error) {
  sock_filter filter[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_epoll_pwait2, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | error),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  const sock_fprog program{std::size(filter), filter};
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
         prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

/// A poller wakes for what is ready, and otherwise when the time is over.
void check_waits() {
  Poller poller;
  const base::Waker waker;
  poller.add(waker.fd(), 7);
  const auto begun = steady_clock::now();
  const auto due = begun + milliseconds(5);
  while (steady_clock::now() < due)
    ASSERT_TRUE(poller.wait(nanoseconds(due - steady_clock::now()).count()).empty());
  EXPECT_TRUE(poller.wait(nanoseconds(milliseconds(-5)).count()).empty());
  waker.wake();
  const auto ready = poller.wait(nanoseconds(milliseconds(100)).count());
  ASSERT_EQ(ready.size(), 1U);
  EXPECT_EQ(ready[0].data.u32, 7U);
  waker.clear();
  EXPECT_TRUE(poller.wait(0).empty());
}

TEST(Poller, WaitsUntilSomethingIsReadyOrTheTimeIsOver) { check_waits(); }

TEST(Poller, WaitsWhereTheSystemKnowsNoNanoseconds) {
  for (const auto error : {std::uint32_t{ENOSYS}, std::uint32_t{EPERM}}) {
    std::thread([&] {
      ASSERT_TRUE(take_epoll_pwait2_away(error));
      check_waits();
    }).join();
  }
}

}  // namespace
}  // namespace hallmark::loadgen
