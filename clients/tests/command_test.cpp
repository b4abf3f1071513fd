#include "clients/run/command.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <thread>

#include "base/child_process.hpp"
#include "base/number.hpp"
#include "clients/run/marked_processes.hpp"

namespace hallmark::clients {
namespace {

using std::chrono::seconds;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

CommandEnd run_words(std::vector<std::string> words, seconds timeout = seconds(60)) {
  return run_command({std::move(words), "127.0.0.1", 4321, timeout});
}

CommandEnd run_shell(const std::string& line, seconds timeout = seconds(60)) {
  return run_words({"sh", "-c", line}, timeout);
}

TEST(ClientCommand, GetsHostAndPort) {
  const auto end = run_shell("echo {host}:{port} $HALLMARK_HOST:$HALLMARK_PORT");
  EXPECT_EQ(end.exit_code, 0);
  EXPECT_THAT(end.last_lines, ElementsAre("127.0.0.1:4321 127.0.0.1:4321"));
}

TEST(ClientCommand, TellsHowItEnded) {
  EXPECT_EQ(in_words(run_shell("exit 7"), seconds(60)), "exited with code 7");
  EXPECT_THAT(in_words(run_shell("kill -SEGV $$"), seconds(60)), HasSubstr("died of signal 11"));
  // A shell reports the death of its child like this.
  EXPECT_EQ(run_shell("exit 139").signal, SIGSEGV);
  EXPECT_EQ(run_shell("exit 130").signal, 0);
}

TEST(ClientCommand, IsEndedWhenItsTimeIsOver) {
  const auto end = run_shell("trap '' TERM; sleep 600", seconds(1));
  EXPECT_TRUE(end.timed_out);
  EXPECT_EQ(in_words(end, seconds(1)), "did not end within 1s");
}

TEST(ClientCommand, HasTimeForWhatABusyProcessorTakesFromIt) {
  std::vector<std::unique_ptr<base::ChildProcess>> others;
  for (int i = 0; i < 3; ++i) {
    auto other =
        base::ChildProcess::start({"taskset", "-c", "0", "sh", "-c", "while :; do :; done"}, {});
    ASSERT_TRUE(other) << other.error().message;
    others.push_back(std::move(*other));
  }
  const auto end = run_words({"taskset", "-c", "0", "/usr/bin/python3", "-S", "-E", "-c",
                              "import time\nwhile time.process_time() < 0.6: pass"},
                             seconds(1));
  for (const auto& other : others) other->kill();
  EXPECT_FALSE(end.timed_out);
  EXPECT_EQ(end.exit_code, 0);
  EXPECT_GT(end.duration, seconds(1));
}

TEST(ClientCommand, IsEndedWhenTheRunIsStopped) {
  std::atomic<bool> stop{true};
  const auto end = run_command({{"sleep", "600"}, "127.0.0.1", 1, seconds(60), &stop});
  EXPECT_TRUE(end.interrupted);
}

TEST(ClientCommand, IsBoundedInWhatItPrints) {
  const auto end = run_words({"yes"}, seconds(3));
  EXPECT_TRUE(end.timed_out);
  EXPECT_TRUE(end.printed_too_much);
  EXPECT_LE(end.last_lines.size(), CommandEnd::most_lines);
}

TEST(ClientCommand, LeavesNoProcessBehind) {
  const auto end = run_shell("setsid sleep 599 & sleep 598 & echo $! && exit 0");
  EXPECT_EQ(end.exit_code, 0);
  EXPECT_EQ(end.left_behind.size(), 2U);
  ASSERT_EQ(end.last_lines.size(), 1U);
  const auto id = base::number_in<std::int32_t>(end.last_lines.front());
  ASSERT_TRUE(id.has_value());
  // It may be a zombie until its new parent has reaped it, but it runs no more.
  EXPECT_THAT(end_marked_processes("HALLMARK_RUN=nobody"), IsEmpty());
}

// While a process changes into another program, /proc tells nothing of its environment.
TEST(ClientCommand, LeavesNoProcessBehindThatChangesIntoOthers) {
  constexpr int rounds = 30;
  for (int round = 0; round < rounds; ++round) {
    const auto end = run_shell("(set -- 'exec sh -c \"$0\" \"$0\"'; exec sh -c \"$1\" \"$1\") &");
    ASSERT_EQ(end.exit_code, 0);
    ASSERT_THAT(end.left_behind, ElementsAre("sh")) << "round " << round;
  }
}

TEST(ClientCommand, ThatIsNotThereIsNamed) {
  const auto end = run_words({"/no/such/program"});
  EXPECT_THAT(end.not_started, HasSubstr("cannot start '/no/such/program'"));
}

}  // namespace
}  // namespace hallmark::clients
