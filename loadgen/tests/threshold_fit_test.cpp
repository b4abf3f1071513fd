#include "loadgen/results/threshold_fit.hpp"

#include <gmock/gmock.h>

#include <vector>

namespace hallmark::loadgen {
namespace {

constexpr ThresholdFit between{.from = -1, .to = 1};

std::vector<ThresholdTrial> repeated(std::initializer_list<ThresholdTrial> trials, int times) {
  std::vector<ThresholdTrial> all;
  for (int i = 0; i < times; ++i) all.insert(all.end(), trials);
  return all;
}

TEST(ThresholdFit, IsBetweenWhatAlwaysHoldsAndWhatNeverDoes) {
  const auto found = fit_threshold(
      repeated({{.at = 0.1, .holds = true}, {.at = 0.2, .holds = false}}, 10), between);
  EXPECT_GE(found.low, 0.08);
  EXPECT_LE(found.low, 0.12);
  EXPECT_GE(found.high, 0.18);
  EXPECT_LE(found.high, 0.22);
}

TEST(ThresholdFit, MoreMeasurementsNarrowTheInterval) {
  const auto width = [](int times) {
    const auto found = fit_threshold(repeated({{.at = -0.1, .holds = true},
                                               {.at = 0, .holds = true},
                                               {.at = 0, .holds = false},
                                               {.at = 0.1, .holds = false},
                                               {.at = 0.1, .holds = true}},
                                              times),
                                     between);
    EXPECT_LE(found.low, 0.05);
    EXPECT_GE(found.high, 0.05);
    return found.high - found.low;
  };
  EXPECT_LT(width(20), width(3));
}

TEST(ThresholdFit, OneMeasurementByChanceDoesNotMoveIt) {
  auto trials = repeated({{.at = 0.1, .holds = true}, {.at = 0.2, .holds = false}}, 15);
  trials.push_back({.at = -0.5, .holds = false});
  const auto found = fit_threshold(trials, between);
  EXPECT_GE(found.low, 0);
  EXPECT_LE(found.high, 0.3);
}

/// A target that has fallen behind holds only below 0, and otherwise up to 0.2.
TEST(ThresholdFit, CoversBothThresholdsOfATargetThatFallsBehind) {
  const auto found = fit_threshold(repeated({{.at = -0.05, .holds = true, .recovering = true},
                                             {.at = 0.15, .holds = true},
                                             {.at = 0.25, .holds = false},
                                             {.at = 0.05, .holds = false, .recovering = true}},
                                            10),
                                   between);
  EXPECT_LT(found.low, 0.05);
  EXPECT_GT(found.low, -0.1);
  EXPECT_GT(found.high, 0.15);
  EXPECT_LT(found.high, 0.3);
}

TEST(ThresholdFit, EndsWhereItIsToldTo) {
  const auto found = fit_threshold(std::vector<ThresholdTrial>{{.at = 0, .holds = true}}, between);
  EXPECT_EQ(found.high, 1);
  EXPECT_GE(found.low, -1);
}

}  // namespace
}  // namespace hallmark::loadgen
