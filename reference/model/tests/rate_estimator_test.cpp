#include "reference/model/rates/rate_estimator.hpp"

#include <gtest/gtest.h>

#include <random>

#include "base/nanoseconds.hpp"
#include "reference/model/tests/start.hpp"

namespace hallmark::model {
namespace {

using base::second_ns;

/// Right to all but the last few of a double's digits.
void expect_equal(double rate, long double exact) {
  EXPECT_NEAR(rate, static_cast<double>(exact), static_cast<double>(exact) * 1e-13);
}

TEST(RateEstimator, ConstantSpacingHasAClosedForm) {
  const Time spacings[] = {1,         1'000,          second_ns / 1'000, second_ns / 3,
                           second_ns, 20 * second_ns, 500 * second_ns};
  for (const std::uint32_t period : {1U, 20U, 86'400U}) {
    for (const Time spacing : spacings) {
      StoredRate stored{0, start};
      // (1 - a^n) / x with x = i/p and a = exp(-x).
      const long double x = static_cast<long double>(spacing) / (1e9L * period);
      for (int n = 1; n <= 200; ++n) {
        stored = {rate_of_use(stored, start + n * spacing, period), start + n * spacing};
        expect_equal(stored.rate, -std::expm1(-x * n) / x);
      }
    }
  }
}

TEST(RateEstimator, SpacingsMayDiffer) {
  std::mt19937_64 random(1);
  constexpr std::uint32_t period = 20;
  StoredRate stored{0, start};
  long double exact = 0;
  for (int n = 0; n < 10'000; ++n) {
    const Time passed = 1 + static_cast<Time>(random() % (5 * 1'000'000'000ULL));
    const long double x = static_cast<long double>(passed) / (1e9L * period);
    exact = -std::expm1(-x) / x + std::exp(-x) * exact;
    const Time now = stored.at + passed;
    stored = {rate_of_use(stored, now, period), now};
    expect_equal(stored.rate, exact);
  }
}

TEST(RateEstimator, TendsToTheUsesInAPeriod) {
  StoredRate stored{0, start};
  for (int n = 0; n < 5'000; ++n) {
    const Time now = stored.at + second_ns / 10;
    stored = {rate_of_use(stored, now, 10), now};
  }
  expect_equal(stored.rate, 100);
}

TEST(RateEstimator, ALongGapLeavesOneUseInIt) {
  const StoredRate busy{1'000'000, start};
  expect_equal(rate_of_use(busy, start + 20 * 1'000 * second_ns, 20), 1.0L / 1'000);
  // A century, in which nothing overflows.
  const Time century = static_cast<Time>(3'155'760'000) * second_ns;
  expect_equal(rate_of_use(busy, start + century, 1), 1.0L / 3'155'760'000);
}

TEST(RateEstimator, AUseThatIsNoLaterCountsAsANanosecondLater) {
  const StoredRate stored{5, start};
  const double nanosecond_later = rate_of_use(stored, start + 1, 20);
  EXPECT_EQ(rate_of_use(stored, start, 20), nanosecond_later);
  EXPECT_EQ(rate_of_use(stored, start - 1, 20), nanosecond_later);
  EXPECT_EQ(rate_of_use(stored, start - 1'000 * second_ns, 20), nanosecond_later);
  const long double x = 1e-9L / 20;
  expect_equal(nanosecond_later, -std::expm1(-x) / x + std::exp(-x) * 5);
}

TEST(RateEstimator, ABurstNeverCountsMoreThanItsUses) {
  StoredRate stored{0, start};
  for (int n = 1; n <= 1'000'000; ++n) {
    stored.rate = rate_of_use(stored, start, 2'147'483'647);
    ASSERT_LE(stored.rate, n);
  }
  EXPECT_NEAR(stored.rate, 1'000'000, 1e-3);
}

}  // namespace
}  // namespace hallmark::model
