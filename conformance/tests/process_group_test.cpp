#include "conformance/supervisor/process_group.hpp"

#include <gmock/gmock.h>

#include <thread>

#include "base/child_process.hpp"
#include "conformance/supervisor/proc_stat.hpp"
#include "conformance/supervisor/process_usage.hpp"

namespace hallmark::conformance::testing {
namespace {

std::unique_ptr<base::ChildProcess> running(const std::string& line) {
  auto started = base::ChildProcess::start(base::shell_command(line), {});
  return std::move(started.value());
}

/// Looks until that is so: a process that was just started is not yet what it will be.
template <class Condition>
ProcessFigures awaited(ProcessGroup& group, const Condition& condition) {
  ProcessFigures figures = group.figures(Thoroughness::exact);
  while (!condition(figures)) {
    std::this_thread::yield();
    figures = group.figures(Thoroughness::exact);
  }
  return figures;
}

/// A process that sleeps with these redirections of its descriptors, and is done with opening its
/// libraries.
std::unique_ptr<base::ChildProcess> asleep(const std::string& redirections) {
  auto child = running("sh -c 'exec " + redirections + "; exec sleep 1000'");
  const std::string process = "/proc/" + std::to_string(child->id());
  const auto sleeps = [&] {
    const auto stat = proc_stat(process);
    return read_proc(process + "/comm") == "sleep\n" && stat && stat->state == 'S';
  };
  while (!sleeps()) std::this_thread::yield();
  return child;
}

TEST(ProcessGroup, CountsWhatAProcessHas) {
  const auto two = asleep("8</dev/null 9</dev/null");
  const auto three = asleep("7</dev/null 8</dev/null 9</dev/null");
  const ProcessFigures few = ProcessGroup(two->id()).figures(Thoroughness::exact);
  const ProcessFigures more = ProcessGroup(three->id()).figures(Thoroughness::exact);
  EXPECT_EQ(more.descriptors, few.descriptors + 1);
  EXPECT_EQ(few.threads, 1U);
  EXPECT_GT(few.memory, 0U);
  EXPECT_LT(few.memory, 64U << 20);
}

TEST(ProcessGroup, CountsAllOfItsProcesses) {
  const auto child = running("sh -c 'sleep 1000 & sleep 1000 & wait'");
  ProcessGroup group(child->id());
  awaited(group, [](const ProcessFigures& figures) { return figures.threads == 3; });
}

TEST(ProcessGroup, SeesWhoSpins) {
  const auto child = running("sh -c 'while :; do :; done'");
  ProcessGroup group(child->id());
  const ProcessFigures begun =
      awaited(group, [](const ProcessFigures& figures) { return figures.runnable == 1; });
  awaited(group, [&](const ProcessFigures& figures) { return figures.cpu > begun.cpu; });
}

TEST(ProcessGroup, ThatIsGoneHasNothing) {
  auto child = running("exit 0");
  ProcessGroup group(child->id());
  child->kill();
  EXPECT_EQ(group.figures(Thoroughness::exact), ProcessFigures()) << "not reaped yet";
  child.reset();
  EXPECT_EQ(group.figures(Thoroughness::exact), ProcessFigures());
}

TEST(ProcessUsage, SumsUpProcessesInAnyOrder) {
  const ProcessFigures first{1, 100, 9, 3, 70};
  const ProcessFigures later{1, 200, 5, 3, 90};
  const ProcessFigures second{2, 50, 7, 4, 10};
  for (const auto& order : {std::vector{first, later, second}, std::vector{second, later, first}}) {
    ProcessUsage usage;
    usage.add({});
    for (const ProcessFigures& figures : order) usage.add(figures);
    EXPECT_EQ(usage.total(second), (reports::ProcessUse{50, 7, 4, std::chrono::nanoseconds(100)}));
    EXPECT_FALSE(usage.total({}));
  }
}

TEST(ProcessUsage, BetweenTwoMomentsIsOfOneProcess) {
  const ProcessFigures begun{1, 100, 9, 3, 70};
  const ProcessFigures ended{1, 200, 5, 3, 90};
  EXPECT_EQ(use_between(begun, ended),
            (reports::ProcessUse{200, 5, 3, std::chrono::nanoseconds(20)}));
  EXPECT_FALSE(use_between(begun, {2, 50, 7, 4, 10}));
  EXPECT_FALSE(use_between({}, {}));
}

}  // namespace
}  // namespace hallmark::conformance::testing
