#include "loadgen/random.hpp"

#include <gtest/gtest.h>

#include <array>
#include <set>

namespace hallmark::loadgen {
namespace {

// First outputs of SplitMix64 seeded with 0 and with 1234567, as its authors' program prints them.
TEST(CounterRandom, mixes_as_splitmix64) {
  EXPECT_EQ(CounterRandom::mix(CounterRandom::golden_gamma), 0xe220a8397b1dcdafU);
  EXPECT_EQ(CounterRandom::mix(1234567 + CounterRandom::golden_gamma), 6457827717110365317U);
  EXPECT_EQ(CounterRandom::mix(1234567 + 2 * CounterRandom::golden_gamma), 3203168211198807973U);
}

TEST(CounterRandom, seeds_streams_and_counters_give_different_numbers) {
  std::set<std::uint64_t> seen;
  for (const std::uint64_t seed : {0U, 1U, 2U}) {
    for (const auto stream : {RandomStream::arrival, RandomStream::operation, RandomStream::key}) {
      for (std::uint64_t i = 0; i < 1000; ++i) seen.insert(CounterRandom{seed, stream}.at(i));
    }
  }
  EXPECT_EQ(seen.size(), 9000U);
}

TEST(CounterRandom, unit_is_above_zero_and_at_most_one_with_mean_one_half) {
  const CounterRandom random{11, RandomStream::arrival};
  double sum = 0;
  for (std::uint64_t i = 0; i < 100'000; ++i) {
    const double u = random.unit_at(i);
    ASSERT_GT(u, 0.0);
    ASSERT_LE(u, 1.0);
    sum += u;
  }
  EXPECT_NEAR(sum / 100'000, 0.5, 0.005);  // five standard errors
}

TEST(CounterRandom, below_reaches_every_value_evenly) {
  const CounterRandom random{5, RandomStream::key};
  std::array<int, 10> seen{};
  for (std::uint64_t i = 0; i < 100'000; ++i) ++seen.at(random.below_at(i, 10));
  for (const int count : seen) EXPECT_NEAR(count, 10'000, 500);  // over five standard deviations
}

TEST(CounterRandom, scale_covers_exactly_the_range) {
  EXPECT_EQ(CounterRandom::scale(0, 7), 0U);
  EXPECT_EQ(CounterRandom::scale(UINT64_MAX, 7), 6U);
  EXPECT_EQ(CounterRandom::scale(UINT64_MAX, UINT64_MAX), UINT64_MAX - 1);
  EXPECT_EQ(CounterRandom::scale(UINT64_MAX, 1), 0U);
}

}  // namespace
}  // namespace hallmark::loadgen
