#include "loadgen/results/block_mixture.hpp"

#include <gmock/gmock.h>

#include "base/random.hpp"

namespace hallmark::loadgen {
namespace {

constexpr double quantiles[] = {0, 0.1, 0.5, 0.9, 0.99, 0.999, 1};

/// The histograms of the drawn blocks added up.
CensoredHistogram added(std::span<const Block> blocks, Draws draws) {
  CensoredHistogram sum;
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    for (std::uint64_t times = 0; times < draws[i]; ++times) sum.add(blocks[i].latency);
  }
  return sum;
}

void expect_equal(std::span<const Block> blocks, Draws draws) {
  const BlockMixture mixture(blocks);
  const CensoredHistogram sum = added(blocks, draws);
  for (const double q : quantiles) {
    const reports::Quantile found = mixture.quantile(q, draws);
    const reports::Quantile expected = sum.quantile(q);
    EXPECT_EQ(found.value, expected.value) << q << " of " << ::testing::PrintToString(draws);
    EXPECT_EQ(found.at_least, expected.at_least) << q << " of " << ::testing::PrintToString(draws);
  }
}

/// Blocks of up to 40 durations from a few ns to minutes; `waits` of them have waits as well, of
/// which many are as long as the others.
std::vector<Block> random_blocks(base::Random& random, std::size_t many, std::size_t waits) {
  std::vector<Block> blocks(many);
  for (std::size_t i = 0; i < many; ++i) {
    for (std::uint64_t left = random.below(40); left > 0; --left)
      blocks[i].latency.record(random.below(std::uint64_t{1} << random.below(38)), 1 + left % 3);
    if (i >= waits) continue;
    for (std::uint64_t left = random.below(10); left > 0; --left)
      blocks[i].latency.record_longer(left % 2 == 0 ? 200'000'000 : random.below(1U << 30U));
  }
  return blocks;
}

TEST(BlockMixture, TellsTheQuantilesOfTheHistogramsAddedUp) {
  base::Random random(3);
  for (std::size_t turn = 0; turn < 200; ++turn) {
    const std::size_t many = 1 + turn % 7;
    const auto blocks = random_blocks(random, many, turn % 3 == 0 ? 0 : many / 2);
    std::vector<std::uint64_t> draws(many);
    for (std::size_t drawn = 0; drawn < many; ++drawn) ++draws[random.below(many)];
    expect_equal(blocks, draws);
  }
}

TEST(BlockMixture, OfNothingIsNothing) {
  const std::vector<Block> blocks(2);
  const std::vector<std::uint64_t> draws{1, 1};
  EXPECT_EQ(BlockMixture(blocks).quantile(0.5, draws), reports::Quantile(0));
  EXPECT_EQ(BlockMixture({}).quantile(0.5, {}), reports::Quantile(0));
}

TEST(BlockMixture, ForgetsBlocksThatAreNotDrawn) {
  std::vector<Block> blocks(2);
  blocks[0].latency.record(1000);
  blocks[1].latency.record(5'000'000);
  blocks[1].latency.record_longer(9'000'000);
  const BlockMixture mixture(blocks);
  EXPECT_EQ(mixture.quantile(1, std::vector<std::uint64_t>{3, 0}), reports::Quantile(1000));
  const reports::Quantile both = mixture.quantile(1, std::vector<std::uint64_t>{3, 1});
  EXPECT_EQ(both.value, 9'000'000U);
  EXPECT_TRUE(both.at_least);
}

TEST(BlockMixture, OfWaitsAloneIsABound) {
  std::vector<Block> blocks(1);
  for (const std::uint64_t bound : {1000U, 2000U, 3000U}) blocks[0].latency.record_longer(bound);
  expect_equal(blocks, std::vector<std::uint64_t>{2});
  EXPECT_TRUE(BlockMixture(blocks).quantile(0, std::vector<std::uint64_t>{1}).at_least);
}

}  // namespace
}  // namespace hallmark::loadgen
