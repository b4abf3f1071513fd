#include "loadgen/results/compare.hpp"

#include <gmock/gmock.h>

#include "loadgen/arrivals/random_stream.hpp"
#include "loadgen/histogram/hdr_codec.hpp"
#include "loadgen/results/spread.hpp"

namespace hallmark::loadgen {
namespace {

using reports::Difference;
using testing::HasSubstr;

/// Seconds of so many requests each, whose latencies are about `around` ns and vary from second to
/// second.
std::vector<Block> one_second_blocks(double around, std::uint64_t seed, std::size_t many = 20,
                                     std::uint64_t requests = 500) {
  const base::CounterRandom random(seed, RandomStream::value);
  std::vector<Block> blocks;
  for (std::size_t i = 0; i < many; ++i) {
    Block& block = blocks.emplace_back();
    block.seconds = 1;
    block.completed = requests;
    const double weather = 0.95 + 0.1 * random.unit_at(1'000'000 + i);
    for (std::uint64_t j = 0; j < requests; ++j) {
      const double drawn = 0.5 + random.unit_at(i * requests + j);
      block.latency.record(static_cast<std::uint64_t>(around * weather * drawn));
    }
  }
  return blocks;
}

Difference of(const std::vector<reports::MetricDifference>& found, std::string_view metric) {
  for (const auto& one : found) {
    if (one.metric == metric) return one.difference;
  }
  ADD_FAILURE() << metric;
  return Difference::unknown;
}

TEST(Compare, OfTheSameFewDiffer) {
  int differing = 0;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    for (const auto& one :
         differences(one_second_blocks(1e5, seed), one_second_blocks(1e5, 100 + seed), 0, {}, seed))
      differing += one.difference == Difference::same ? 0 : 1;
  }
  EXPECT_LE(differing, 8);  // of 200, at 99 % each
}

TEST(Compare, WhatIsSlowerIsWorseAndWhatIsFasterIsBetter) {
  const auto slower =
      differences(one_second_blocks(1e5, 1), one_second_blocks(1.2e5, 2), 0.02, {}, 1);
  EXPECT_EQ(of(slower, "p50"), Difference::worse);
  EXPECT_EQ(of(slower, "p99"), Difference::worse);
  EXPECT_EQ(of(slower, "throughput"), Difference::same);
  const auto faster =
      differences(one_second_blocks(1.2e5, 1), one_second_blocks(1e5, 2), 0.02, {}, 1);
  EXPECT_EQ(of(faster, "p50"), Difference::better);
  for (const auto& one : slower) {
    EXPECT_LE(one.low, one.now.value - one.before.value) << one.metric;
    EXPECT_GE(one.high, one.now.value - one.before.value) << one.metric;
  }
}

TEST(Compare, LessThroughputIsWorse) {
  const auto found =
      differences(one_second_blocks(1e5, 1), one_second_blocks(1e5, 2, 20, 400), 0.02, {}, 1);
  EXPECT_EQ(of(found, "throughput"), Difference::worse);
}

TEST(Compare, WhatIsWithinTheNoiseOrTooSmallDoesNotCount) {
  auto noise = differences(one_second_blocks(1e5, 1), one_second_blocks(1.3e5, 2), 0, {}, 1);
  EXPECT_EQ(
      of(differences(one_second_blocks(1e5, 1), one_second_blocks(1.2e5, 2), 0, noise, 1), "p50"),
      Difference::same);
  EXPECT_EQ(
      of(differences(one_second_blocks(1e5, 1), one_second_blocks(1.2e5, 2), 0.5, {}, 1), "p50"),
      Difference::same);
}

/// A lower bound may be worse for certain, but not better, nor the same.
TEST(Compare, QuantilesAmongRequestsWithoutAReplyAreNotBetter) {
  auto lossy = one_second_blocks(1e5, 2);
  for (Block& block : lossy) block.latency.record_longer(200'000, 100);
  const auto found = differences(one_second_blocks(1e5, 1), lossy, 0.02, {}, 1);
  EXPECT_EQ(of(found, "p99"), Difference::worse);
  EXPECT_TRUE(found.back().now.at_least);
  const auto back = differences(lossy, one_second_blocks(1e5, 1), 0.02, {}, 1);
  EXPECT_EQ(of(back, "p99"), Difference::better);
  EXPECT_EQ(of(differences(one_second_blocks(3e5, 1), lossy, 0.02, {}, 1), "p99"),
            Difference::unknown);
  EXPECT_EQ(of(differences(lossy, lossy, 0.02, {}, 1), "p99"), Difference::unknown);
}

/// The requests without a reply are so few that only some of the drawn runs have them at p99.
TEST(Compare, AQuantileThatMayLieAmongRequestsWithoutAReplyIsOpen) {
  auto lossy = one_second_blocks(1e5, 2);
  lossy[0].latency.record_longer(200'000, 70);
  const auto found = differences(one_second_blocks(1e5, 1), lossy, 0.02, {}, 1);
  const auto& p99 = found[3];
  EXPECT_EQ(p99.metric, "p99");
  EXPECT_FALSE(p99.now.at_least);
  EXPECT_FALSE(p99.low_open);
  EXPECT_TRUE(p99.high_open);
  EXPECT_NE(p99.difference, Difference::same);
}

/// Each run of both is steady; what varies is from run to run.
TEST(Compare, TheSpreadBetweenRunsCounts) {
  struct Side {
    std::vector<Block> blocks;
    reports::MetricSpread p50{.metric = "p50", .runs = {}};
  };
  const auto side = [](std::initializer_list<double> runs) {
    Side all;
    for (const double around : runs) {
      for (Block& block : one_second_blocks(around, static_cast<std::uint64_t>(around)))
        all.blocks.push_back(std::move(block));
      all.p50.runs.emplace_back(around);
    }
    return all;
  };
  const auto between = [](const Side& before, const Side& now) {
    return differences({before.blocks, {before.p50}}, {now.blocks, {now.p50}}, 0.02, {}, 1);
  };
  const auto apart = between(side({1e5, 1.01e5, 1.02e5}), side({1.3e5, 1.31e5, 1.32e5}));
  EXPECT_EQ(of(apart, "p50"), Difference::worse);
  const auto varying = between(side({0.8e5, 1e5, 1.2e5}), side({1e5, 1.2e5, 1.4e5}));
  EXPECT_EQ(of(varying, "p50"), Difference::same);
  EXPECT_LT(varying[1].low, 0);
  EXPECT_GT(varying[1].high, 0);
}

reports::Knee searched(double rate, double low, double high) {
  reports::Knee knee;
  knee.rate = rate;
  knee.low = low;
  knee.high = high;
  return knee;
}

TEST(Compare, CapacitiesDifferWhereTheirIntervalsAreApart) {
  const auto before = searched(100, 95, 105);
  EXPECT_EQ(of(compare(before, searched(130, 125, 135), 0.05).metrics, "capacity"),
            Difference::better);
  EXPECT_EQ(of(compare(before, searched(80, 75, 85), 0.05).metrics, "capacity"), Difference::worse);
  EXPECT_EQ(of(compare(before, searched(108, 103, 113), 0.05).metrics, "capacity"),
            Difference::same);
  EXPECT_EQ(of(compare(before, searched(130, 125, 135), 0.5).metrics, "capacity"),
            Difference::same);
  reports::Knee other = searched(130, 125, 135);
  other.objectives = "p99<1s";
  EXPECT_THAT(compare(before, other, 0.05).inconclusive, HasSubstr("other objectives"));
  other = searched(130, 125, 135);
  other.interrupted = true;
  EXPECT_EQ(reports::exit_code(compare(before, other, 0.05)), reports::ExitCode::indeterminate);
}

TEST(Compare, FewBlocksSayNothing) {
  const auto found =
      differences(one_second_blocks(1e5, 1, 4), one_second_blocks(2e5, 2, 4), 0, {}, 1);
  EXPECT_EQ(of(found, "p50"), Difference::unknown);
}

reports::LoadResult saved(double around, std::uint64_t seed, std::size_t many) {
  reports::LoadResult result;
  result.header.target = "tcp://127.0.0.1:1";
  std::uint64_t second = 0;
  for (const Block& block : one_second_blocks(around, seed, many)) {
    auto& sample = result.series.emplace_back();
    sample.second = second++;
    sample.completed = block.latency.count();
    sample.histogram = encode_compressed_base64(block.latency.known());
  }
  return result;
}

TEST(Compare, SavedResultsAreComparedByTheirSeconds) {
  const auto comparison = compare(saved(1e5, 1, 100), saved(1.5e5, 2, 12), 0.05);
  ASSERT_TRUE(comparison);
  EXPECT_EQ(comparison->blocks_before, 50U);  // two seconds each: 60 blocks at most
  EXPECT_EQ(comparison->blocks_now, 12U);
  EXPECT_EQ(of(comparison->metrics, "p50"), Difference::worse);
  EXPECT_EQ(reports::exit_code(*comparison), reports::ExitCode::failures);
  const auto few = compare(saved(1e5, 1, 3), saved(1.5e5, 2, 12), 0.05);
  EXPECT_THAT(few->inconclusive, HasSubstr("3 and 12 seconds"));
  EXPECT_EQ(reports::exit_code(*few), reports::ExitCode::indeterminate);
}

TEST(Compare, TheMarksOfSavedResultsAreKept) {
  auto before = saved(1e5, 1, 10);
  auto now = saved(1e5, 2, 10);
  before.corrected.quantiles.p99.by_client = true;
  // One of several runs is enough.
  now.spread = spread_of(std::vector{now, before});
  const auto metrics = compare(before, now, 0.05)->metrics;
  for (const auto& one : metrics) {
    EXPECT_EQ(one.before.by_client, one.metric == "p99") << one.metric;
    EXPECT_EQ(one.now.by_client, one.metric == "p99") << one.metric;
  }
}

TEST(Compare, ARunWithoutHistogramsOfItsSecondsIsRefused) {
  auto old = saved(1e5, 1, 10);
  old.series[3].histogram.clear();
  EXPECT_THAT(compare(old, saved(1e5, 2, 10), 0.05).error().message,
              HasSubstr("have no histograms"));
}

TEST(Compare, AShortLastSecondIsLeftOut) {
  auto result = saved(1e5, 1, 10);
  result.series.back().length_s = 0.01;
  EXPECT_EQ(blocks_of(result)->size(), 9U);
}

}  // namespace
}  // namespace hallmark::loadgen
