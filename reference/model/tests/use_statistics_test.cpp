#include "reference/model/rates/use_statistics.hpp"

#include <gtest/gtest.h>

#include "base/nanoseconds.hpp"
#include "reference/model/tests/start.hpp"

namespace hallmark::model {
namespace {

using base::second_ns;

constexpr Time bucket = 300 * second_ns;

TEST(UseStatistics, CountsAreCumulative) {
  UseStatistics statistics;
  for (int n = 0; n < 10; ++n) statistics.count(start + n * bucket, n, n % 3 == 0);
  const UseCounts counts = statistics.counts(start + 100 * bucket);
  EXPECT_EQ(counts.requests, 10U);
  EXPECT_EQ(counts.over, 4U);
}

TEST(UseStatistics, TheHighestRateIsThatOfTheBucketBefore) {
  UseStatistics statistics;
  statistics.count(start, 3.5, false);
  statistics.count(start + 1, 9.75, true);
  statistics.count(start + bucket - 1, 2, false);
  EXPECT_EQ(statistics.counts(start + bucket - 1).last_max_rate, 0);
  EXPECT_EQ(statistics.counts(start + bucket).last_max_rate, 9.75);
  EXPECT_EQ(statistics.counts(start + 2 * bucket - 1).last_max_rate, 9.75);
  EXPECT_EQ(statistics.counts(start + 2 * bucket).last_max_rate, 0);
}

TEST(UseStatistics, BucketsAreAlignedToTheEpochNotToTheFirstUse) {
  UseStatistics statistics;
  statistics.count(start + bucket - 1, 4, false);
  EXPECT_EQ(statistics.counts(start + bucket).last_max_rate, 4);
}

TEST(UseStatistics, ABucketWithoutUsesHasNoRate) {
  UseStatistics statistics;
  statistics.count(start, 4, false);
  statistics.count(start + 2 * bucket, 5, false);
  EXPECT_EQ(statistics.counts(start + 2 * bucket).last_max_rate, 0);
  EXPECT_EQ(statistics.counts(start + 3 * bucket).last_max_rate, 5);
}

TEST(UseStatistics, TimeDoesNotGoBack) {
  UseStatistics statistics;
  statistics.count(start, 4, false);
  statistics.count(start + bucket, 5, false);
  statistics.count(start + bucket - 1, 6, false);
  EXPECT_EQ(statistics.counts(start).last_max_rate, 4);
  EXPECT_EQ(statistics.counts(start + 2 * bucket).last_max_rate, 6);
}

}  // namespace
}  // namespace hallmark::model
