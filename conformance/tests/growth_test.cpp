#include "conformance/suites/throttr/growth.hpp"

#include <gmock/gmock.h>

#include "conformance/tests/fake_process.hpp"
#include "conformance/tests/fixture.hpp"

namespace hallmark::conformance::testing {
namespace {

using KiB = std::vector<std::uint64_t>;

struct Grown {
  std::string_view name;
  KiB levels;  ///< KiB, behind each round
  bool kept;
};

class KeptOfEach : public ::testing::TestWithParam<Grown> {};

TEST_P(KeptOfEach, IsWhatGrowsByAsMuchInEachRound) {
  constexpr std::size_t things = 4'096;
  KiB bytes = GetParam().levels;
  for (std::uint64_t& level : bytes) level *= 1024;
  EXPECT_EQ(is_kept_of_each(bytes, things), GetParam().kept);
}

INSTANTIATE_TEST_SUITE_P(
    Memory, KeptOfEach,
    ::testing::Values(Grown{"sixteen_bytes_of_each", {900, 964, 1'028, 1'092}, true},
                      Grown{"with_a_table_that_doubles", {900, 1'200, 1'560, 1'860}, true},
                      Grown{"nothing", {900, 900, 900, 900}, false},
                      Grown{"less_than_a_block_of_each", {900, 960, 1'020, 1'080}, false},
                      Grown{"a_cache_that_is_full_in_the_end", {900, 1'900, 2'900, 2'900}, false},
                      Grown{"a_cache_that_is_nearly_full", {900, 1'900, 2'900, 3'300}, false},
                      Grown{"a_heap_that_is_collected", {900, 5'000, 2'000, 6'000}, false},
                      Grown{"a_burst_in_one_round", {900, 900, 9'000, 9'000}, false},
                      Grown{"memory_given_back", {9'000, 8'000, 7'000, 6'000}, false}),
    [](const auto& row) { return std::string(row.param.name); });

TEST(GrowsEachTime, AsksForEveryRound) {
  EXPECT_TRUE(grows_each_time(KiB{9, 25, 41, 57}, 16));
  EXPECT_FALSE(grows_each_time(KiB{9, 25, 40, 57}, 16));
  EXPECT_FALSE(grows_each_time(KiB{9, 9, 9, 9}, 1));
}

TEST(Growth, OfAProcessOfSomebodyElseIsNotLookedInto) {
  for (const BehaviourCase& one : growth_cases()) {
    Simulation simulation;
    const auto results = simulation.play(unit_of_behaviour(one.name));
    ASSERT_EQ(results.size(), 1U);
    EXPECT_EQ(results.front().verdict, reports::Verdict::skipped) << one.name;
    EXPECT_THAT(results.front().reason, ::testing::HasSubstr("runs with exec:")) << one.name;
  }
}

/// The requests and connections that a target has met so far.
struct Deeds {
  std::uint64_t connections = 0;
  std::uint64_t sends = 0;
  Time at = 0;
};

Deeds deeds_in(const SimulatedNetwork& network) {
  Deeds deeds;
  for (const Operation& one : network.history()) {
    if (one.kind == OperationKind::connect) ++deeds.connections;
    if (one.kind == OperationKind::send) ++deeds.sends;
  }
  deeds.at = network.now();
  return deeds;
}

struct Growing {
  std::string_view name;
  std::string_view played;
  ProcessFigures (*has)(const Deeds& deeds);
  std::string_view code;  ///< the failure's code; empty: the case passes
};

class GrowingProcess : public ::testing::TestWithParam<Growing> {};

TEST_P(GrowingProcess, IsJudged) {
  Simulation simulation;
  FakeProcess process([&] { return GetParam().has(deeds_in(simulation.network)); });
  simulation.network.start_as(process);
  const auto result = simulation.play(unit_of_behaviour(std::string(GetParam().played))).front();
  const bool passes = GetParam().code.empty();
  EXPECT_EQ(result.verdict, passes ? reports::Verdict::pass : reports::Verdict::fail)
      << result.reason;
  EXPECT_EQ(passes ? std::string() : reports::text_of(result.code.value()), GetParam().code);
  EXPECT_TRUE(result.process || process.generation() > 1);
}

INSTANTIATE_TEST_SUITE_P(
    Growth, GrowingProcess,
    ::testing::Values(
        Growing{"descriptors_of_every_second_connection", "growth/descriptors",
                [](const Deeds& deeds) {
                  return ProcessFigures{.descriptors = deeds.connections / 2, .threads = 1};
                },
                "leak QUERY descriptors"},
        Growing{"a_few_descriptors_more", "growth/descriptors",
                [](const Deeds& deeds) {
                  return ProcessFigures{.descriptors = deeds.connections / 4, .threads = 1};
                },
                ""},
        Growing{"a_pool_of_threads", "growth/threads",
                [](const Deeds& deeds) {
                  return ProcessFigures{.threads = std::min<std::uint64_t>(deeds.connections, 64)};
                },
                ""},
        Growing{"a_thread_of_each_connection", "growth/threads",
                [](const Deeds& deeds) { return ProcessFigures{.threads = deeds.connections}; },
                "leak QUERY threads"},
        Growing{"memory_of_each_connection", "growth/memory-of-connections",
                [](const Deeds& deeds) {
                  return ProcessFigures{.memory = 64 * deeds.connections, .threads = 1};
                },
                "leak QUERY memory-of-connections"},
        Growing{"a_cache_of_connections", "growth/memory-of-connections",
                [](const Deeds& deeds) {
                  return ProcessFigures{
                      .memory = 4096 * std::min<std::uint64_t>(deeds.connections, 3'000),
                      .threads = 1};
                },
                ""},
        Growing{"memory_of_each_record", "growth/memory-of-records",
                [](const Deeds& deeds) {
                  return ProcessFigures{.memory = 64 * 50 * deeds.sends, .threads = 1};
                },
                "leak PURGE memory-of-records"},
        Growing{
            "half_a_core_without_end", "growth/rest",
            [](const Deeds& deeds) { return ProcessFigures{.threads = 1, .cpu = deeds.at / 2}; },
            "busy QUERY"},
        Growing{"a_wish_that_is_never_granted", "growth/rest",
                [](const Deeds&) { return ProcessFigures{.threads = 1, .runnable = 1}; },
                "busy QUERY"},
        Growing{"half_a_core_for_two_seconds", "growth/rest",
                [](const Deeds& deeds) {
                  return ProcessFigures{.threads = 1,
                                        .cpu = std::min<Time>(deeds.at, 3'000'000'000) / 2};
                },
                ""},
        Growing{
            "a_little_now_and_then", "growth/rest",
            [](const Deeds& deeds) { return ProcessFigures{.threads = 1, .cpu = deeds.at / 20}; },
            ""}),
    [](const auto& row) { return std::string(row.param.name); });

/// Certifies a target that takes so long for each connection, and keeps memory of so many.
CaseResult of_a_slow_cache(Time each, std::uint64_t most) {
  Simulation simulation;
  FakeProcess process([&] {
    const std::uint64_t connections = deeds_in(simulation.network).connections;
    return ProcessFigures{.memory = 4096 * std::min(connections, most), .threads = 1};
  });
  simulation.network.start_as(process);
  simulation.network.delay_arrivals(each);
  return simulation.play(unit_of_behaviour("growth/memory-of-connections")).front();
}

TEST(Growth, OfACacheThatIsFilledSlowlyIsNoLeak) {
  constexpr std::uint64_t unbounded = 1'000'000;
  constexpr Time slow = 6'000'000;
  EXPECT_EQ(of_a_slow_cache(slow, 3'000).verdict, reports::Verdict::pass);
  EXPECT_EQ(of_a_slow_cache(slow, unbounded).verdict, reports::Verdict::fail);
  const auto result = of_a_slow_cache(5 * slow, unbounded);
  EXPECT_EQ(result.verdict, reports::Verdict::skipped);
  EXPECT_THAT(result.reason, ::testing::HasSubstr("the target takes 30 ms for each: too slow"));
}

/// Certifies a target that keeps memory of each connection, and takes longer for each behind 700.
CaseResult of_one_that_slows(Simulation& simulation, Time at_first, Time later) {
  FakeProcess process([&] {
    const std::uint64_t connections = deeds_in(simulation.network).connections;
    simulation.network.delay_arrivals(connections > 700 ? later : at_first);
    return ProcessFigures{.memory = 64 * connections, .threads = 1};
  });
  simulation.network.start_as(process);
  return simulation.play(unit_of_behaviour("growth/memory-of-connections")).front();
}

/// As a server that lacks descriptors, and looks for some now and then.
TEST(Growth, OfATargetThatBecomesSlowByItIsALeak) {
  Simulation simulation;
  const auto result = of_one_that_slows(simulation, 0, 49'000'000);
  EXPECT_EQ(result.verdict, reports::Verdict::fail);
  EXPECT_EQ(reports::text_of(result.code.value()), "leak QUERY memory-of-connections");
  EXPECT_THAT(result.reason, ::testing::HasSubstr("until it took 49 ms for each"));
  EXPECT_LT(simulation.network.now(), 10'000'000'000);
}

TEST(Growth, OfATargetThatBecomesALittleSlowerIsCutOff) {
  Simulation simulation;
  const auto result = of_one_that_slows(simulation, 8'000'000, 30'000'000);
  EXPECT_EQ(result.verdict, reports::Verdict::skipped);
  EXPECT_THAT(result.reason, ::testing::HasSubstr("the target took 41 s for 1350 of 2000"));
  EXPECT_LT(simulation.network.now(), 60'000'000'000);
}

}  // namespace
}  // namespace hallmark::conformance::testing
