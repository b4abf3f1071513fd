#include "conformance/concurrency/random.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <vector>

namespace hallmark::conformance {
namespace {

TEST(Random, IsTheSameEverywhere) {
  Random random("hallmark");
  EXPECT_EQ(random.next(), 5426637451832411091U);
  EXPECT_EQ(random.next(), 10111503232805148978U);
  EXPECT_NE(Random("a").next(), Random("b").next());
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
  std::vector<int> seen(5);
  for (int i = 0; i < 500; ++i) ++seen[random.below(5)];
  for (const int count : seen) EXPECT_GT(count, 50);
}

}  // namespace
}  // namespace hallmark::conformance
