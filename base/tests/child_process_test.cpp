#include "base/child_process.hpp"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/wait.h>

#include <array>
#include <cerrno>
#include <thread>

#include "base/descriptor.hpp"
#include "base/tests/temporary_directory.hpp"

namespace hallmark::base {
namespace {

using std::chrono::seconds;
using testing::HasSubstr;
using testing::Not;

constexpr seconds patience{60};

std::unique_ptr<ChildProcess> start(const std::vector<std::string>& command,
                                    const ChildOptions& options = {}) {
  auto started = ChildProcess::start(command, options);
  EXPECT_TRUE(started) << started.error().message;
  return std::move(*started);
}

std::unique_ptr<ChildProcess> shell(const std::string& line, const ChildOptions& options = {}) {
  return start({"sh", "-c", line}, options);
}

/// All that comes until nobody can write any more.
std::string read_all(const Descriptor& from) {
  std::string all;
  std::array<char, 4096> some;
  for (auto got = read_some(from, some); got > 0; got = read_some(from, some))
    all.append(some.data(), static_cast<std::size_t>(got));
  return all;
}

bool is_alive(pid_t id) { return ::kill(id, 0) == 0; }

TEST(ChildProcess, GetsWhatIsAddedToItsEnvironment) {
  auto pipe = make_pipe();
  ASSERT_TRUE(pipe);
  ChildOptions options;
  options.out = pipe->write.get();
  options.environment = {"HALLMARK_ADDED=here", "PATH=/bin:/usr/bin"};
  const auto child = shell("echo $HALLMARK_ADDED $PATH", options);
  pipe->write.reset();
  EXPECT_EQ(read_all(pipe->read), "here /bin:/usr/bin\n");
  EXPECT_TRUE(child->wait(patience));
}

TEST(ChildProcess, TellsHowItEnded) {
  const auto exits = shell("exit 7");
  ASSERT_TRUE(exits->wait(patience));
  EXPECT_EQ(exits->exit_code(), 7);
  EXPECT_EQ(exits->ending_signal(), 0);
  EXPECT_EQ(exits->how_it_ended(), "exited with code 7");

  const auto crashes = shell("kill -SEGV $$");
  ASSERT_TRUE(crashes->wait(patience));
  EXPECT_EQ(crashes->exit_code(), -1);
  EXPECT_EQ(crashes->ending_signal(), SIGSEGV);
  EXPECT_EQ(crashes->how_it_ended(), "killed by signal 11 (Segmentation fault)");
  crashes->kill();
  EXPECT_EQ(crashes->how_it_ended(), "killed by signal 11 (Segmentation fault)");
  EXPECT_GT(crashes->peak_memory_kib(), 0U);
}

TEST(ChildProcess, RunsUntilItIsStopped) {
  const auto child = shell("exec sleep 1000");
  EXPECT_FALSE(child->wait({}));
  EXPECT_FALSE(child->ended());
  EXPECT_FALSE(child->ending());
  EXPECT_EQ(child->how_it_ended(), "");
  child->stop();
  EXPECT_EQ(child->ending_signal(), SIGTERM);
}

TEST(ChildProcess, IsReapedWhenItsObjectGoesAway) {
  auto child = shell("exec sleep 1000");
  const pid_t id = child->id();
  child->kill();
  EXPECT_EQ(child->ending_signal(), SIGKILL);
  EXPECT_TRUE(is_alive(id)) << "its id is nobody else's";
  child->kill();
  child->stop();
  EXPECT_EQ(child->ending_signal(), SIGKILL) << "what came later changes nothing";
  child.reset();
  EXPECT_FALSE(is_alive(id));
}

TEST(ChildProcess, GetsTheStreamsAndTheDirectoryThatItWasGiven) {
  const test::TemporaryDirectory directory;
  auto in = make_pipe();
  auto out = make_pipe();
  auto err = make_pipe();
  ChildOptions options;
  options.in = in->read.get();
  options.out = out->write.get();
  options.err = err->write.get();
  options.directory = directory.path().string();
  const auto child = shell("read line; echo \"$line in $(pwd)\"; echo oh >&2", options);
  for (Descriptor* const end : {&in->read, &out->write, &err->write}) end->reset();
  ASSERT_EQ(write_all(in->write, "hello\n"), 0);
  EXPECT_EQ(read_all(out->read), "hello in " + directory.path().string() + "\n");
  EXPECT_EQ(read_all(err->read), "oh\n");
}

TEST(ChildProcess, HasNoDescriptorsAndNoBlockedSignalsOfOurs) {
  auto out = make_pipe();
  constexpr int far_from_others = 700;
  const Descriptor ours(::fcntl(out->read.get(), F_DUPFD_CLOEXEC, far_from_others));
  ChildOptions options;
  options.out = out->write.get();
  sigset_t all;
  ::sigfillset(&all);
  std::unique_ptr<ChildProcess> child;
  // A thread that has all signals blocked, and ends before the child does.
  std::thread([&] {
    ::pthread_sigmask(SIG_SETMASK, &all, nullptr);
    child = shell("ls /proc/self/fd | tr '\\n' ' '; grep SigBlk /proc/self/status", options);
  }).join();
  out->write.reset();
  const std::string printed = read_all(out->read);
  EXPECT_THAT(printed, Not(HasSubstr(" " + std::to_string(ours.get()) + " ")));
  EXPECT_THAT(printed, HasSubstr("SigBlk:\t0000000000000000"));
  ASSERT_TRUE(child->wait(patience));
  EXPECT_EQ(child->exit_code(), 0);
}

TEST(ChildProcess, IsGoneWithItsObjectAndSoIsWhatItStarted) {
  auto out = make_pipe();
  ChildOptions options;
  options.out = out->write.get();
  options.grace = std::chrono::milliseconds(1);
  pid_t id = 0;
  {
    const auto child = shell("trap '' TERM; sleep 1000 & echo; wait; sleep 1000", options);
    id = child->id();
    out->write.reset();
    std::array<char, 1> line;
    ASSERT_EQ(read_some(out->read, line), 1);
  }
  EXPECT_FALSE(is_alive(id));
  // The pipe ends with the last process that has it.
  EXPECT_EQ(read_all(out->read), "");
}

TEST(ChildProcess, IsStoppedAlsoIfItWasSuspended) {
  const auto child = shell("exec sleep 1000");
  child->signal(SIGSTOP);
  child->stop();
  EXPECT_EQ(child->ending_signal(), SIGTERM);
}

TEST(ChildProcess, IsNotStartedIfThereIsNoSuchProgram) {
  const auto missing = ChildProcess::start({"/no/such/program"}, {});
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().message, "cannot start '/no/such/program': No such file or directory");
  EXPECT_EQ(::waitpid(-1, nullptr, WNOHANG), -1) << "a process was left behind";
  EXPECT_EQ(errno, ECHILD);
}

TEST(ChildProcess, IsNotStartedInADirectoryThatIsNotThere) {
  ChildOptions options;
  options.directory = "/no/such/directory";
  EXPECT_FALSE(ChildProcess::start({"true"}, options));
}

TEST(ShellCommand, IsTheCommandAndNotAShellAroundIt) {
  auto out = make_pipe();
  ChildOptions options;
  options.out = out->write.get();
  const auto child = start(shell_command("sh -c 'echo $$'"), options);
  out->write.reset();
  EXPECT_EQ(read_all(out->read), std::to_string(child->id()) + "\n");
}

/// A line, and whether a shell has to read it.
struct Line {
  const char* text;
  bool for_a_shell;
};

class ShellCommandLine : public testing::TestWithParam<Line> {};

TEST_P(ShellCommandLine, IsReadByAShellIfItMeansAnythingToOne) {
  const auto words = shell_command(GetParam().text);
  EXPECT_EQ(words.front() == "/bin/sh", GetParam().for_a_shell);
}

INSTANTIATE_TEST_SUITE_P(
    Lines, ShellCommandLine,
    testing::Values(Line{"sleep 1", false}, Line{"/bin/cat -u  ./a,b_c:1", false},
                    Line{"cat {port}", false}, Line{"cat {a,b}", true}, Line{"cat {1..3}", true},
                    Line{"echo 'a b'", true}, Line{"echo $HOME", true}, Line{"echo a\\ b", true},
                    Line{"A=1 env", true}, Line{"cat <a", true}, Line{"cat a;cat b", true},
                    Line{"cat ~/a", true}, Line{"cat *", true}, Line{"cat a\nb", true},
                    Line{"cat a\tb", true}, Line{"-a cat", true}, Line{" cat", true},
                    Line{"", true}));

TEST(ShellCommand, LeavesWhatCannotBeFoundToTheShell) {
  EXPECT_EQ(shell_command("no-such-program-here").front(), "/bin/sh");
  EXPECT_EQ(shell_command("/no/such/program").front(), "/bin/sh");
  EXPECT_EQ(shell_command("/etc/passwd").front(), "/bin/sh");
  EXPECT_EQ(shell_command("/tmp").front(), "/bin/sh");
}

TEST(ShellCommand, SplitsPlainWords) {
  EXPECT_EQ(shell_command("cat  -u ./a=b"), (std::vector<std::string>{"cat", "-u", "./a=b"}));
}

}  // namespace
}  // namespace hallmark::base
