#include "conformance/supervisor/deep_sleep.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

#include "base/descriptor.hpp"
#include "conformance/supervisor/proc_stat.hpp"

namespace hallmark::conformance::testing {
namespace {

using base::Descriptor;
constexpr int an_hour_ms = 3'600'000;

std::string path_of(pid_t thread) { return fmt::format("/proc/self/task/{}", thread); }

/// Asks about a thread that sleeps in that way, and wakes it.
bool is_for_good(const std::function<void()>& sleep, const std::function<void()>& wake) {
  std::atomic<pid_t> id{0};
  std::thread sleeper([&] {
    id = ::gettid();
    sleep();
  });
  const auto is_asleep = [&] {
    const auto stat = proc_stat(path_of(id));
    return stat && stat->state == 'S';
  };
  const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(10);
  while (!is_asleep() && std::chrono::steady_clock::now() < until) std::this_thread::yield();
  EXPECT_TRUE(is_asleep());
  const bool found = sleeps_for_good(path_of(id));
  wake();
  sleeper.join();
  return found;
}

/// A thread waits for an event of its own process and for one more descriptor.
class Waiting {
 public:
  Waiting() { add(event_); }
  void add(const Descriptor& more) {
    epoll_event event{.events = EPOLLIN, .data = {}};
    EXPECT_EQ(::epoll_ctl(epoll_.get(), EPOLL_CTL_ADD, more.get(), &event), 0);
  }
  bool is_for_good(int timeout_ms = -1) {
    return testing::is_for_good(
        [&] {
          epoll_event event{};
          EXPECT_EQ(::epoll_wait(epoll_.get(), &event, 1, timeout_ms), 1);
          eventfd_t events = 0;
          EXPECT_EQ(::eventfd_read(event_.get(), &events), 0);
        },
        [&] { EXPECT_EQ(::eventfd_write(event_.get(), 1), 0); });
  }

 private:
  Descriptor epoll_{::epoll_create1(0)};
  Descriptor event_{::eventfd(0, 0)};
};

TEST(DeepSleep, IsAWaitForAnotherThreadWithoutATimeout) {
  std::mutex mutex;
  std::condition_variable woken;
  bool over = false;
  const auto wake = [&] {
    const std::lock_guard lock(mutex);
    over = true;
    woken.notify_all();
  };
  EXPECT_TRUE(is_for_good(
      [&] {
        std::unique_lock lock(mutex);
        woken.wait(lock, [&] { return over; });
      },
      wake));
  over = false;
  EXPECT_FALSE(is_for_good(
      [&] {
        std::unique_lock lock(mutex);
        woken.wait_for(lock, std::chrono::milliseconds(an_hour_ms), [&] { return over; });
      },
      wake));
}

TEST(DeepSleep, IsAWaitForWhatOnlyTheProcessDoes) {
  EXPECT_TRUE(Waiting().is_for_good());
  EXPECT_FALSE(Waiting().is_for_good(an_hour_ms));
}

TEST(DeepSleep, IsNoneOfWhoeverMayHearFromOthers) {
  int both[2];
  ASSERT_EQ(::socketpair(AF_UNIX, SOCK_STREAM, 0, both), 0);
  const Descriptor near(both[0]);
  const Descriptor far(both[1]);
  Waiting waiting;
  waiting.add(near);
  EXPECT_FALSE(waiting.is_for_good());
}

TEST(DeepSleep, IsNoneOfWhoeverHasSetATimer) {
  const Descriptor timer(::timerfd_create(CLOCK_MONOTONIC, 0));
  Waiting waiting;
  waiting.add(timer);
  EXPECT_TRUE(waiting.is_for_good());
  const itimerspec in_an_hour{.it_interval = {}, .it_value = {.tv_sec = 3600, .tv_nsec = 0}};
  ASSERT_EQ(::timerfd_settime(timer.get(), 0, &in_an_hour, nullptr), 0);
  EXPECT_FALSE(waiting.is_for_good());
}

TEST(DeepSleep, IsNoneOfAThreadThatRunsOrIsGone) {
  EXPECT_FALSE(sleeps_for_good(path_of(::gettid())));
  EXPECT_FALSE(sleeps_for_good(path_of(0)));
}

}  // namespace
}  // namespace hallmark::conformance::testing
