#include "conformance/supervisor/process.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <netinet/in.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

#include <chrono>
#include <memory>
#include <thread>

#include "base/descriptor.hpp"
#include "conformance/supervisor/process_watch.hpp"
#include "conformance/tests/fixture.hpp"

namespace hallmark::conformance::testing {
namespace {

TEST(Exec, TellsHowATargetDiedThatNeverListened) {
  for (const auto& [command, how] :
       {std::pair<std::string, std::string>{"exec:sh -c 'echo no such luck >&2; exit 7' {port}",
                                            "exited with code 7; it wrote last: no such luck"},
        {"exec:sh -c 'kill -SEGV $$' {port}", "killed by signal 11"}}) {
    CertifyOptions options;
    options.target = *base::parse_endpoint<Target>(command);
    const auto result = certify(format_u16(), {unit_of_vector(pipelinable_vector())}, options);
    EXPECT_THAT(result.run_error, ::testing::HasSubstr(how));
    EXPECT_EQ(reports::exit_code(result), reports::ExitCode::unreachable_or_harness_error);
  }
}

TEST(Exec, StopsATargetThatDoesNotListenInTime) {
  CertifyOptions options;
  options.target = *base::parse_endpoint<Target>("exec:sleep 1000 # {port}");
  options.deadline = 30'000'000;
  const auto result = certify(format_u16(), {unit_of_vector(pipelinable_vector())}, options);
  EXPECT_THAT(result.run_error, ::testing::HasSubstr("the target does not listen"));
}

TEST(Process, IsGoneWithItsObjectEvenIfItIgnoresSigterm) {
  pid_t pid = 0;
  {
    auto process = Process::start({"sh -c 'trap \"\" TERM; exec sleep 1000' {port}", {}});
    ASSERT_TRUE(process);
    pid = (*process)->pid();
    EXPECT_EQ((*process)->how_it_died(), "");
  }
  EXPECT_EQ(::kill(pid, 0), -1);
}

TEST(Process, ThatIsStoppedGivesBackItsDirectoryBeforeItsChildIsReaped) {
  auto process = Process::start({"sh -c 'echo $0; exec sleep 1000' {dir}", {}});
  ASSERT_TRUE(process);
  while ((*process)->last_lines().empty()) std::this_thread::yield();
  const std::string directory = (*process)->last_lines().front();
  EXPECT_EQ(::access(directory.c_str(), F_OK), 0);
  auto child = Process::stop(std::move(*process));
  const pid_t pid = child->id();
  EXPECT_EQ(::access(directory.c_str(), F_OK), -1);
  EXPECT_EQ(child->ending_signal(), SIGTERM);
  EXPECT_EQ(::kill(pid, 0), 0);
  child.reset();
  EXPECT_EQ(::kill(pid, 0), -1);
}

TEST(Process, HasAPortOfItsOwnInItsCommand) {
  auto process = Process::start({"sh -c 'echo port $0; exit 3' {port}", {}});
  ASSERT_TRUE(process);
  std::string how;
  while (how.empty()) how = (*process)->how_it_died();
  EXPECT_EQ(how, fmt::format("exited with code 3; it wrote last: port {}", (*process)->port()));
}

TEST(Process, ClaimsItsPortBeforeItListensThere) {
  const base::PortRange one = {32'500, 32'500};  // of those that neither runs nor clients are given
  const base::ExecEndpoint silent = {"sleep 1000 # {port}", one};
  auto process = Process::start(silent);
  ASSERT_TRUE(process) << process.error();
  ASSERT_TRUE(port_is_free(one.first)) << "it does not listen";
  const auto other = Process::start(silent);
  ASSERT_FALSE(other);
  EXPECT_EQ(other.error(), "no port from 32500 to 32500 of the loopback address is free");
  process->reset();
  EXPECT_TRUE(Process::start(silent));
}

TEST(SpinningThreads, HaveHadHalfASecondWithoutWaitingForAnything) {
  const auto second = static_cast<std::uint64_t>(::sysconf(_SC_CLK_TCK));
  const auto running = [](std::uint64_t ticks) { return ProcStat{'R', ticks, 1}; };
  SpinningThreads threads;
  EXPECT_FALSE(threads.note("1", running(9 * second), 7));
  EXPECT_FALSE(threads.note("1", running(9 * second + second / 4), 7));
  EXPECT_TRUE(threads.note("1", running(9 * second + second / 2), 7));
  EXPECT_FALSE(threads.note("2", running(9 * second + second / 2), 7)) << "that is another thread";
  EXPECT_FALSE(threads.note("1", {'S', 10 * second, 1}, 7)) << "it waits";
  EXPECT_FALSE(threads.note("1", running(10 * second), 8)) << "it has waited";
  EXPECT_TRUE(threads.note("1", running(11 * second), 8));
}

TEST(SpinningThreads, AreKnownSoonerInATargetThatHadSuch) {
  const auto second = static_cast<std::uint64_t>(::sysconf(_SC_CLK_TCK));
  const auto running = [](std::uint64_t ticks) { return ProcStat{'R', ticks, 1}; };
  SpinningThreads first;
  EXPECT_FALSE(first.note("1", running(0), 7));
  EXPECT_FALSE(SpinningThreads(&first).known());
  EXPECT_TRUE(first.note("1", running(second), 7));

  SpinningThreads second_process(&first);
  EXPECT_TRUE(second_process.known());
  EXPECT_FALSE(second_process.note("2", running(0), 7));
  EXPECT_TRUE(second_process.note("2", running(second / 10), 7));
  EXPECT_TRUE(SpinningThreads(&second_process).known());
}

TEST(SpinningThreads, KeepTheTargetFromAnsweringUnlessItAnsweredMeanwhile) {
  const auto second = static_cast<std::uint64_t>(::sysconf(_SC_CLK_TCK));
  const auto running = [](std::uint64_t ticks) { return ProcStat{'R', ticks, 1}; };
  SpinningThreads threads;
  threads.note("1", running(0), 7);
  EXPECT_FALSE(threads.keeps_from_answering("1", running(second / 5))) << "it may be slow";
  EXPECT_TRUE(threads.keeps_from_answering("1", running(second / 4)));
  EXPECT_FALSE(threads.keeps_from_answering("1", {'S', second, 1})) << "it waits";
  EXPECT_FALSE(threads.keeps_from_answering("2", running(second))) << "that is another thread";

  threads.answered();
  EXPECT_FALSE(threads.keeps_from_answering("1", running(second))) << "it polls";
  threads.note("1", running(second), 8);
  EXPECT_FALSE(threads.keeps_from_answering("1", running(2 * second))) << "such a target polls";
  SpinningThreads next(&threads);
  next.note("1", running(0), 1);
  EXPECT_FALSE(next.keeps_from_answering("1", running(second))) << "and so does the next process";
}

TEST(ProcessWatch, TellsAThreadThatSpinsFromOneThatIsSlow) {
  auto process = Process::start({"sh -c 'while :; do :; done' {port}", {}});
  ASSERT_TRUE(process);
  const auto spinning = std::make_shared<SpinningThreads>();
  const auto watch = [&] { return ProcessWatch((*process)->pid(), 1, spinning); };
  const ProcessWatch first = watch();
  while (first.starved()) std::this_thread::sleep_for(std::chrono::milliseconds(5));
  EXPECT_FALSE(watch().starved()) << "it has not been watched for long, and was seen to spin";
  EXPECT_EQ(watch().in_words(), "spinning");
  EXPECT_TRUE(watch().stuck());
  const ProcessWatch other((*process)->pid(), 1, std::make_shared<SpinningThreads>());
  EXPECT_TRUE(other.starved()) << "nothing is known of it yet";
}

/// Asks again and again, for that long at most.
bool gets_stuck(const std::string& command, std::chrono::milliseconds limit) {
  auto process = Process::start({command, {}});
  if (!process) return false;
  const auto spinning = std::make_shared<SpinningThreads>();
  const auto until = std::chrono::steady_clock::now() + limit;
  while (std::chrono::steady_clock::now() < until) {
    const ProcessWatch watch((*process)->pid(), 1, spinning);
    EXPECT_FALSE(watch.stuck()) << "it has not been watched for long";
    std::this_thread::sleep_for(std::chrono::milliseconds(60));
    if (watch.stuck()) return true;
  }
  return false;
}

TEST(ProcessWatch, KnowsASleepThatNobodyEnds) {
  EXPECT_TRUE(gets_stuck("perl -e 'socket S, 2, 1, 0; sleep' {port}", std::chrono::seconds(10)))
      << "without a number it pauses";
  constexpr std::chrono::milliseconds some_looks{300};
  EXPECT_FALSE(gets_stuck("perl -e sleep {port}", some_looks)) << "it serves nobody";
  EXPECT_FALSE(gets_stuck("perl -e 'socket S, 2, 1, 0; sleep 1000' {port}", some_looks))
      << "its sleep has an end";
  EXPECT_FALSE(
      gets_stuck("perl -e 'socket S, 2, 1, 0; fork ? sleep : sleep 1000' {port}", some_looks))
      << "another process of the group may answer";
}

TEST(Port, IsFreeForBothTransportsOrNotAtAll) {
  for (const int type : {SOCK_STREAM, SOCK_DGRAM}) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof(address);
    auto* const generic = reinterpret_cast<sockaddr*>(&address);
    std::uint16_t port = 0;
    {
      const base::Descriptor taken(::socket(AF_INET, type, 0));
      ASSERT_EQ(::bind(taken.get(), generic, size), 0);
      ASSERT_EQ(::getsockname(taken.get(), generic, &size), 0);
      port = ntohs(address.sin_port);
      EXPECT_FALSE(port_is_free(port));
    }
    // A port that is free for UDP may be held for TCP by a connection that ended a minute ago.
    EXPECT_TRUE(type == SOCK_DGRAM || port_is_free(port));
  }
}

}  // namespace
}  // namespace hallmark::conformance::testing
