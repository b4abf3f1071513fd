#include "loadgen/results/spread.hpp"

#include <gmock/gmock.h>

namespace hallmark::loadgen {
namespace {

using reports::LoadResult;
using reports::Mean;

LoadResult run_with(double rate, reports::Quantile p99) {
  LoadResult run;
  run.rate_achieved = rate;
  run.corrected.quantiles.p99 = p99;
  return run;
}

TEST(Spread, HasTheValueOfEachRunAndTheIntervalOfTheirMean) {
  const auto spread =
      spread_of(std::vector{run_with(90, 1'000), run_with(100, 1'000), run_with(110, 1'000)});
  ASSERT_EQ(spread.size(), run_metrics.size());
  EXPECT_EQ(spread[0].metric, "throughput");
  EXPECT_THAT(spread[0].runs, testing::ElementsAre(Mean(90), Mean(100), Mean(110)));
  // t of 0.975 with two degrees of freedom is 4.303, of a mean with deviation 10 / sqrt(3).
  EXPECT_NEAR(spread[0].low, 100 - 24.84, 0.01);
  EXPECT_NEAR(spread[0].high, 100 + 24.84, 0.01);
  EXPECT_EQ(spread[3].metric, "p99");
  EXPECT_EQ(spread[3].low, 1'000);
  EXPECT_EQ(spread[3].high, 1'000);
}

TEST(Spread, ALowerBoundHasNoInterval) {
  const auto spread = spread_of(std::vector{run_with(90, {1'000, true}), run_with(100, 2'000)});
  EXPECT_EQ(spread[3].high, 0);
  EXPECT_TRUE(spread[3].runs[0].at_least);
}

TEST(Spread, WelchNeedsTwoRunsOnEachSide) {
  const std::vector<Mean> one{1.0};
  const std::vector<Mean> two{1.0, 2.0};
  const std::vector<Mean> same{1.0, 1.0};
  EXPECT_EQ(welch_half_interval(one, two, 0.005), 0);
  EXPECT_EQ(welch_half_interval(same, same, 0.005), 0);
  // Equal variances of 1/2: two degrees of freedom, t of 0.995 is 9.925, deviation sqrt(1/2).
  EXPECT_NEAR(welch_half_interval(two, two, 0.005), 7.018, 0.001);
}

}  // namespace
}  // namespace hallmark::loadgen
