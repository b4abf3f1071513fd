#include "base/random.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <random>
#include <set>
#include <vector>

namespace hallmark::base {
namespace {

enum class Stream : std::uint64_t { first = 1, second, third };

// First outputs of SplitMix64 seeded with 0 and with 1234567, as its authors' program prints them.
TEST(SplitMix64, IsAsPublished) {
  EXPECT_EQ(splitmix64(0), 0xe220a8397b1dcdafU);
  EXPECT_EQ(splitmix64(1234567), 6457827717110365317U);
  EXPECT_EQ(splitmix64(1234567, 1), 3203168211198807973U);
  Random random(std::uint64_t{1234567});
  EXPECT_EQ(random(), 6457827717110365317U);
  EXPECT_EQ(random(), 3203168211198807973U);
}

// The values are from draft-eastlake-fnv, appendix C.
TEST(Fnv1a, IsAsPublished) {
  EXPECT_EQ(fnv1a(""), 0xcbf29ce484222325U);
  EXPECT_EQ(fnv1a("a"), 0xaf63dc4c8601ec8cU);
  EXPECT_EQ(fnv1a("foobar"), 0x85944171f73967e8U);
}

TEST(Scaled, CoversExactlyTheRange) {
  EXPECT_EQ(scaled(0, 7), 0U);
  EXPECT_EQ(scaled(UINT64_MAX, 7), 6U);
  EXPECT_EQ(scaled(UINT64_MAX, UINT64_MAX), UINT64_MAX - 1);
  EXPECT_EQ(scaled(UINT64_MAX, 1), 0U);
}

TEST(Fraction, IsFromZeroToBelowOne) {
  EXPECT_EQ(fraction(0), 0.0);
  EXPECT_EQ(fraction(std::uint64_t{1} << 63), 0.5);
  EXPECT_LT(fraction(UINT64_MAX), 1.0);
}

// Written down once: a seed is of use only as long as it means the same.
TEST(Random, IsTheSameEverywhere) {
  Random random("hallmark");
  EXPECT_EQ(random(), 5426637451832411091U);
  EXPECT_EQ(random(), 10111503232805148978U);
  EXPECT_NE(Random("a")(), Random("b")());
}

TEST(Random, KeepsAllThatItShuffles) {
  std::vector<int> all(20);
  std::iota(all.begin(), all.end(), 0);
  const std::vector<int> sorted = all;
  Random random("shuffle");
  random.shuffle(all);
  EXPECT_NE(all, sorted);
  std::ranges::sort(all);
  EXPECT_EQ(all, sorted);
}

TEST(Random, ChoosesEverythingThatItMay) {
  Random random("below");
  std::array<int, 5> places = {0, 1, 2, 3, 4};
  std::array<int, 5> seen{};
  for (int i = 0; i < 500; ++i) ++seen.at(random.below(5));
  for (int i = 0; i < 500; ++i) ++seen.at(static_cast<std::size_t>(random.one_of(places)));
  for (const int count : seen) EXPECT_GT(count, 100);
}

TEST(Random, IsAGeneratorForTheStandardLibrary) {
  static_assert(std::uniform_random_bit_generator<Random>);
  Random random("standard");
  for (int i = 0; i < 100; ++i)
    EXPECT_LE(std::uniform_int_distribution<unsigned>(0, 6)(random), 6U);
}

TEST(CounterRandom, SeedsStreamsAndCountersGiveDifferentNumbers) {
  std::set<std::uint64_t> seen;
  for (const std::uint64_t seed : {0U, 1U, 2U}) {
    for (const auto stream : {Stream::first, Stream::second, Stream::third}) {
      for (std::uint64_t i = 0; i < 1000; ++i) seen.insert(CounterRandom(seed, stream).at(i));
    }
  }
  EXPECT_EQ(seen.size(), 9000U);
}

TEST(CounterRandom, IsTheSameEverywhere) {
  EXPECT_EQ(CounterRandom(7, Stream::first).at(0), 8879317973683161050U);
  EXPECT_EQ(CounterRandom(7, 3).at(1'000'000), 3096900017916099023U);
}

TEST(CounterRandom, UnitIsAboveZeroAndAtMostOneWithMeanOneHalf) {
  const CounterRandom random{11, Stream::first};
  double sum = 0;
  for (std::uint64_t i = 0; i < 100'000; ++i) {
    const double u = random.unit_at(i);
    ASSERT_GT(u, 0.0);
    ASSERT_LE(u, 1.0);
    sum += u;
  }
  EXPECT_NEAR(sum / 100'000, 0.5, 0.005);  // five standard errors
}

TEST(CounterRandom, BelowReachesEveryValueEvenly) {
  const CounterRandom random{5, Stream::second};
  std::array<int, 10> seen{};
  for (std::uint64_t i = 0; i < 100'000; ++i) ++seen.at(random.below_at(i, 10));
  for (const int count : seen) EXPECT_NEAR(count, 10'000, 500);  // over five standard deviations
}

TEST(RandomSeed, IsAnotherEachTime) { EXPECT_NE(random_seed(), random_seed()); }

}  // namespace
}  // namespace hallmark::base
