#include "base/stop_signals.hpp"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <poll.h>
#include <signal.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <thread>

namespace hallmark::base {
namespace {

/// More than a pipe holds.
const std::string much(std::size_t{1} << 20, 'x');

void wait_for_bytes(const Descriptor& pipe) {
  pollfd waiting{pipe.get(), POLLIN, 0};
  ::poll(&waiting, 1, -1);
}

/// Writes more than the pipe holds; when it is full, `number` is raised. Returns what `write_all`
/// returned. Nobody reads.
int written_until(int number, int flags) {
  const auto pipe = make_pipe();
  ::fcntl(pipe->write.get(), F_SETFL, flags);
  int reason = 0;
  std::thread writer([&] { reason = write_all(pipe->write, much); });
  wait_for_bytes(pipe->read);
  ::kill(::getpid(), number);
  writer.join();
  return reason;
}

std::atomic<int> handled{0};
void count(int) { ++handled; }

/// A signal that ended a wait ends all later ones of the process, so each test is one of its own.
template <class Test>
[[noreturn]] void exit_with(Test test) {
  std::_Exit(test() ? 0 : 1);
}

class StopSignalsTest : public testing::Test {
 protected:
  StopSignalsTest() { GTEST_FLAG_SET(death_test_style, "threadsafe"); }
  static testing::ExitedWithCode succeeds() { return testing::ExitedWithCode(0); }
};

TEST_F(StopSignalsTest, EndTheWaitForAReader) {
  for (const int number : {SIGINT, SIGTERM}) {
    for (const int flags : {0, O_NONBLOCK})
      EXPECT_EXIT(exit_with([&] { return written_until(number, flags) == EINTR; }), succeeds(), "");
  }
}

TEST_F(StopSignalsTest, EndLaterWaitsToo) {
  EXPECT_EXIT(exit_with([] {
                written_until(SIGTERM, 0);
                const auto pipe = make_pipe();
                return write_all(pipe->write, much) == EINTR;
              }),
              succeeds(), "");
}

TEST_F(StopSignalsTest, AreStillHandledByWhoeverHandledThem) {
  EXPECT_EXIT(exit_with([] {
                ::signal(SIGTERM, count);
                const bool ended = written_until(SIGTERM, 0) == EINTR;
                ::raise(SIGTERM);
                return ended && handled == 2;
              }),
              succeeds(), "");
}

TEST_F(StopSignalsTest, HaveTheirUsualEffectAfterwards) {
  EXPECT_EXIT(
      {
        const auto pipe = make_pipe();
        write_all(pipe->write, "abc");
        ::raise(SIGTERM);
        std::_Exit(1);
      },
      testing::KilledBySignal(SIGTERM), "");
}

TEST_F(StopSignalsTest, StayIgnored) {
  EXPECT_EXIT(exit_with([] {
                ::signal(SIGINT, SIG_IGN);
                const auto pipe = make_pipe();
                int reason = -1;
                std::thread writer([&] { reason = write_all(pipe->write, much); });
                wait_for_bytes(pipe->read);
                ::kill(::getpid(), SIGINT);
                std::array<char, 4096> some;
                for (std::size_t read = 0; read < much.size();)
                  read += static_cast<std::size_t>(read_some(pipe->read, some));
                writer.join();
                return reason == 0;
              }),
              succeeds(), "");
}

}  // namespace
}  // namespace hallmark::base
