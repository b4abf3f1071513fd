#include "loadgen/histogram/censored_histogram.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

namespace hallmark::loadgen {
namespace {

TEST(CensoredHistogram, WithoutDelaysOfTheClientNothingIsMarked) {
  CensoredHistogram histogram;
  histogram.record(1'000, 100);
  histogram.blame_client(1'000, 100, 100);
  EXPECT_FALSE(histogram.quantile(0.99).by_client) << "a tenth may be the client's";
  EXPECT_FALSE(histogram.max().by_client);
  EXPECT_FALSE(histogram.mean().by_client);
}

TEST(CensoredHistogram, OnlyTheQuantilesThatTheClientCouldExplainAreMarked) {
  CensoredHistogram histogram;
  histogram.record(1'000, 980);
  histogram.record(50'000, 20);
  histogram.blame_client(50'000, 45'000, 20);
  EXPECT_FALSE(histogram.quantile(0.5).by_client);
  EXPECT_FALSE(histogram.quantile(0.9).by_client);
  EXPECT_TRUE(histogram.quantile(0.99).by_client);
  EXPECT_TRUE(histogram.max().by_client);
  EXPECT_TRUE(histogram.mean().by_client);
  EXPECT_EQ(reports::text_of(histogram.quantile(0.99)), "~50.0 µs");
}

TEST(CensoredHistogram, ARequestThatWasSlowAnywayIsTheTargets) {
  CensoredHistogram histogram;
  histogram.record(50'000, 10);
  histogram.blame_client(50'000, 40'000, 5);
  EXPECT_FALSE(histogram.max().by_client) << "five others were as slow";
}

TEST(CensoredHistogram, MarksAreAddedUpAndForgotten) {
  CensoredHistogram one;
  one.record(5'000);
  one.blame_client(5'000, 4'000);
  CensoredHistogram sum;
  sum.record(4'000, 3);
  sum.add(one);
  EXPECT_TRUE(sum.max().by_client);
  EXPECT_FALSE(sum.quantile(0.5).by_client);
  sum.reset();
  sum.record(5'000);
  EXPECT_FALSE(sum.max().by_client);
}

/// Against the exact durations, with the client's parts and without them.
TEST(CensoredHistogram, MarksAgreeWithExactOnes) {
  std::mt19937_64 random{5};
  for (int round = 0; round < 60; ++round) {
    CensoredHistogram histogram;
    std::vector<std::uint64_t> with;
    std::vector<std::uint64_t> without;
    for (int i = 0; i < 500; ++i) {
      const std::uint64_t target = 1'000 + random() % 1'000;
      // Parts that matter are large: what is near a tenth depends on buckets.
      const std::uint64_t own = random() % 50 < static_cast<unsigned>(round) ? target : 0;
      histogram.record(target + own);
      histogram.blame_client(target + own, own);
      with.push_back(target + own);
      without.push_back(target);
    }
    std::ranges::sort(with);
    std::ranges::sort(without);
    for (const double q : {0.5, 0.9, 0.99, 0.999, 1.0}) {
      const std::uint64_t rank = Histogram::rank_of(q, with.size());
      const std::uint64_t value = with[rank - 1];
      const std::uint64_t rest = without[rank - 1];
      const std::uint64_t nine_tenths = value - value / 10;
      const std::uint64_t width = value / 500;
      if (rest + width > nine_tenths && rest < nine_tenths + width) continue;
      EXPECT_EQ(histogram.quantile(q).by_client, rest < nine_tenths) << round << ' ' << q;
    }
  }
}

}  // namespace
}  // namespace hallmark::loadgen
