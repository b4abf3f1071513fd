#include "loadgen/arrivals/anderson_darling.hpp"

#include <gmock/gmock.h>

#include "loadgen/arrivals/random_stream.hpp"

namespace hallmark::loadgen {
namespace {

using testing::DoubleNear;

std::vector<double> uniform_sample(std::size_t size, std::uint64_t seed) {
  const base::CounterRandom random(seed, RandomStream::arrival);
  std::vector<double> sample;
  for (std::size_t i = 0; i < size; ++i) sample.push_back(random.unit_at(i));
  return sample;
}

TEST(AndersonDarling, IsTheStatisticOfItsDefinition) {
  // One number u: -1 - (ln u + ln(1 - u)).
  EXPECT_THAT(anderson_darling({0.5}).statistic, DoubleNear(0.386294, 1e-6));
  // Two: -2 - (ln .2 + ln(1 - .7) + 3 (ln .7 + ln(1 - .2))) / 2.
  EXPECT_THAT(anderson_darling({0.7, 0.2}).statistic, DoubleNear(0.276433, 1e-6));
}

/// A number whose A² is `wanted`, in a sample of one.
double p_value_at(double wanted) {
  double low = 1e-12;
  double high = 0.5;
  for (int i = 0; i < 200; ++i) {
    const double middle = (low + high) / 2;
    (anderson_darling({middle}).statistic > wanted ? low : high) = middle;
  }
  return anderson_darling({low}).p_value;
}

// The points of its limit that tables print, such as D'Agostino and Stephens, table 4.2.
TEST(AndersonDarling, ThePValueIsThatOfTheTables) {
  EXPECT_THAT(p_value_at(1.933), DoubleNear(0.10, 0.0005));
  EXPECT_THAT(p_value_at(2.492), DoubleNear(0.05, 0.0005));
  EXPECT_THAT(p_value_at(3.070), DoubleNear(0.025, 0.0003));
  EXPECT_THAT(p_value_at(3.878), DoubleNear(0.01, 0.0002));
}

TEST(AndersonDarling, OfTrueSamplesAboutAsManyAreRefutedAsThePValueSays) {
  int below_a_tenth = 0;
  for (std::uint64_t seed = 1; seed <= 1000; ++seed)
    below_a_tenth += anderson_darling(uniform_sample(200, seed)).p_value < 0.1 ? 1 : 0;
  // 100 expected, of a binomial whose standard deviation is 9.5.
  EXPECT_GE(below_a_tenth, 62);
  EXPECT_LE(below_a_tenth, 138);
}

TEST(AndersonDarling, WhatIsNotUniformIsRefuted) {
  auto bent = uniform_sample(500, 1);
  for (double& one : bent) one *= one;
  EXPECT_LT(anderson_darling(bent).p_value, 1e-6);
  EXPECT_EQ(anderson_darling({0, 0, 0, 0}).p_value, 0);
  EXPECT_EQ(anderson_darling({1, 1, 1, 1}).p_value, 0);
}

}  // namespace
}  // namespace hallmark::loadgen
