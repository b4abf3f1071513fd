#include "conformance/engine/scheduler.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <atomic>
#include <chrono>
#include <mutex>
#include <thread>

#include "conformance/drivers/stream/stream_units.hpp"
#include "conformance/tests/fixture.hpp"

namespace hallmark::conformance::testing {
namespace {

using reports::Verdict;

TEST(Scheduler, KeepsTheOrderOfTheSuite) {
  Simulation simulation;
  StreamUnits units(simulation.context);
  Suite suite;
  for (int i = 0; i < 20; ++i) suite.push_back(unit_that(fmt::format("{}", i), [](Stage&) {}));
  const auto result = play_suite(units, suite, {.jobs = 4});
  ASSERT_EQ(result.cases.size(), suite.size());
  for (std::size_t i = 0; i < suite.size(); ++i)
    EXPECT_EQ(result.cases[i].id, fmt::format("{}", i));
  EXPECT_FALSE(result.interrupted);
}

TEST(Scheduler, NeverPlaysTwoThatShareAResourceAtATime) {
  Simulation simulation;
  StreamUnits units(simulation.context);
  std::mutex mutex;
  std::map<std::string, int> in_use;
  bool shared = false;
  Suite suite;
  for (int i = 0; i < 60; ++i) {
    const std::string resource = fmt::format("key {}", i % 3);
    suite.push_back(unit_that(fmt::format("{}", i), [&, resource](Stage&) {
      {
        const std::lock_guard lock(mutex);
        shared = shared || ++in_use[resource] > 1;
      }
      std::this_thread::yield();
      const std::lock_guard lock(mutex);
      --in_use[resource];
    }));
    suite.back().resources = {resource};
  }
  play_suite(units, suite, {.jobs = 8});
  EXPECT_FALSE(shared);
}

TEST(Scheduler, PlaysThoseThatShareAResourceInTheirOrder) {
  Simulation simulation;
  StreamUnits units(simulation.context);
  std::mutex mutex;
  std::vector<int> order;
  const auto unit = [&](int number, std::vector<std::string> resources) {
    Unit made = unit_that(fmt::format("{}", number), [&, number](Stage&) {
      for (int i = 0; number == 0 && i < 1000; ++i) std::this_thread::yield();
      const std::lock_guard lock(mutex);
      order.push_back(number);
    });
    made.resources = std::move(resources);
    return made;
  };
  play_suite(units, {unit(0, {"a"}), unit(1, {"a", "b"}), unit(2, {"b"})}, {.jobs = 3});
  EXPECT_THAT(order, ::testing::ElementsAre(0, 1, 2));
}

/// Plays four units at a time, of which the first fails when all four have begun. Returns true if
/// three of those behind them are played at a time, each of which waits for that for so long.
bool plays_three_behind_a_failure(bool fewer_once_failed, std::chrono::milliseconds patience) {
  constexpr int at_first = 4;
  Simulation simulation;
  StreamUnits units(simulation.context);
  std::atomic<bool> failed{false};
  std::atomic<int> begun{0};
  std::atomic<int> active{0};
  std::atomic<bool> three{false};
  const auto wait = [](std::chrono::milliseconds longest, const auto& until) {
    const auto end = std::chrono::steady_clock::now() + longest;
    while (!until() && std::chrono::steady_clock::now() < end) std::this_thread::yield();
  };
  Suite suite;
  for (int i = 0; i < 2 * at_first; ++i) {
    suite.push_back(unit_that(fmt::format("{}", i), [&, i](Stage& stage) {
      if (i < at_first) {
        ++begun;
        wait(std::chrono::seconds(10), [&] { return i == 0 ? begun == at_first : failed.load(); });
        if (i == 0) stage.fail({}, "wrong");
        return;
      }
      if (++active == 3) three = true;
      wait(patience, [&] { return three.load(); });
      --active;
    }));
  }
  ScheduleOptions options{.jobs = at_first, .fewer_once_failed = fewer_once_failed};
  options.on_judged = [&](std::span<const reports::CaseResult> cases) {
    if (cases.front().verdict == Verdict::fail) failed = true;
  };
  EXPECT_EQ(play_suite(units, suite, options).cases.size(), suite.size());
  EXPECT_TRUE(failed);
  return three;
}

TEST(Scheduler, PlaysHalfAsManyAtATimeOnceOneHasFailed) {
  EXPECT_FALSE(plays_three_behind_a_failure(true, std::chrono::milliseconds(20)));
  EXPECT_TRUE(plays_three_behind_a_failure(false, std::chrono::seconds(10)));
}

TEST(Scheduler, SkipsWhatTheTargetOrTheOptionsDoNotAllow) {
  Simulation simulation;
  StreamUnits units(simulation.context);
  Suite suite{unit_that("slow", [](Stage&) {}), unit_that("exclusive", [](Stage&) {})};
  suite[0].needs.slow = true;
  suite[1].needs.exclusive = true;
  const auto result = play_suite(units, suite, {.jobs = 1});
  EXPECT_THAT(result.cases[0].reason, ::testing::HasSubstr("--slow"));
  EXPECT_THAT(result.cases[1].reason, ::testing::HasSubstr("--exclusive"));
  for (const auto& one : result.cases) EXPECT_EQ(one.verdict, Verdict::skipped);
}

TEST(Scheduler, SparesATargetThatOthersUse) {
  Simulation simulation;
  simulation.context.exclusive = true;
  Suite suite{unit_that("documented", [](Stage&) {}), unit_that("open", [](Stage&) {}),
              unit_that("exclusive", [](Stage&) {})};
  suite[1].cases.front().danger = Danger::open;
  suite[2].needs.exclusive = true;
  ScheduleOptions options{.jobs = 1};
  options.polite = true;
  StreamUnits units(simulation.context);
  const auto result = play_suite(units, suite, options);
  EXPECT_EQ(result.cases[0].verdict, Verdict::pass);
  for (const std::size_t spared : {1U, 2U}) {
    EXPECT_EQ(result.cases[spared].verdict, Verdict::skipped);
    EXPECT_EQ(result.cases[spared].reason, "not played: --polite");
  }
}

TEST(Scheduler, PlaysExclusiveUnitsAfterAllOthers) {
  Simulation simulation;
  StreamUnits units(simulation.context);
  simulation.context.exclusive = true;
  std::vector<int> order;
  Suite suite{unit_that("exclusive", [&](Stage&) { order.push_back(2); }),
              unit_that("shared", [&](Stage&) { order.push_back(1); })};
  suite[0].needs.exclusive = true;
  play_suite(units, suite, {.jobs = 1});
  EXPECT_THAT(order, ::testing::ElementsAre(1, 2));
}

TEST(Scheduler, StopsBetweenUnitsAndKeepsWhatWasPlayed) {
  Simulation simulation;
  StreamUnits units(simulation.context);
  std::atomic<bool> stop{false};
  simulation.context.stop = &stop;
  Suite suite{unit_that("first", [&](Stage&) { stop = true; }), unit_that("second", [](Stage&) {})};
  const auto result =
      play_suite(units, suite, {.jobs = 1, .slow = false, .stop = &stop, .on_progress = {}});
  EXPECT_TRUE(result.interrupted);
  ASSERT_EQ(result.cases.size(), 1U);
  EXPECT_EQ(result.cases.front().verdict, Verdict::pass);
}

TEST(Scheduler, PlaysNothingMoreWhenTheRunHasTakenItsTime) {
  Simulation simulation;
  StreamUnits units(simulation.context);
  constexpr Time second = 1'000'000'000;
  simulation.context.until = simulation.network.now() + second;
  Suite suite{
      unit_that("slow", [&](Stage&) { simulation.network.wait_until(simulation.context.until); }),
      unit_that("left", [](Stage&) {})};
  const auto result = play_suite(units, suite, {.jobs = 1});
  EXPECT_TRUE(result.interrupted);
  ASSERT_EQ(result.cases.size(), 2U);
  EXPECT_EQ(result.cases[1].verdict, Verdict::skipped);
  EXPECT_THAT(result.cases[1].reason, ::testing::HasSubstr("takes too long"));
}

TEST(Scheduler, TellsHowFarItIs) {
  Simulation simulation;
  StreamUnits units(simulation.context);
  std::vector<std::size_t> done;
  Suite suite{unit_that("a", [](Stage&) {}),
              unit_that("b", [](Stage& stage) { stage.fail("no"); })};
  std::size_t failed = 0;
  play_suite(
      units, suite,
      {.jobs = 1, .slow = false, .stop = nullptr, .on_progress = [&](const Progress& progress) {
         done.push_back(progress.done);
         failed = progress.failed;
         EXPECT_EQ(progress.total, 2U);
       }});
  EXPECT_THAT(done, ::testing::ElementsAre(1, 2));
  EXPECT_EQ(failed, 1U);
}

}  // namespace
}  // namespace hallmark::conformance::testing
