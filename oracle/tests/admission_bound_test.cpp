#include "oracle/admission_bound.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "base/nanoseconds.hpp"

namespace hallmark::oracle {
namespace {

using base::second_ns;

Bound rate(double burst, double per_second) { return {"rate", RateBound{burst, per_second}}; }
Bound window(std::int64_t limit, std::int64_t ns) { return {"window", WindowBound{limit, ns}}; }

/// The first admission, by position, that exceeds the bound.
std::optional<std::size_t> first_beyond(const Bound& bound,
                                        const std::vector<std::int64_t>& times) {
  BoundWatch watch;
  for (std::size_t i = 0; i < times.size(); ++i) {
    if (watch.admitted(bound, times[i])) return i;
  }
  return std::nullopt;
}

TEST(RateBound, ABurstAndNoMore) {
  const std::vector<std::int64_t> at_once(6, 5 * second_ns);
  EXPECT_EQ(first_beyond(rate(5, 1), at_once), 5U);
  EXPECT_EQ(first_beyond(rate(6, 1), at_once), std::nullopt);
}

TEST(RateBound, WhatWasGainedMayBeSpent) {
  // Five at once, then one each second: the bucket gives just that.
  std::vector<std::int64_t> times(5, 0);
  for (int i = 1; i <= 100; ++i) times.push_back(i * second_ns);
  EXPECT_EQ(first_beyond(rate(5, 1), times), std::nullopt);
  times[50] -= 10'000;
  std::sort(times.begin(), times.end());
  EXPECT_EQ(first_beyond(rate(5, 1), times), 50U) << "10 us too early";
}

TEST(RateBound, AViolationLongAfterAQuietTime) {
  std::vector<std::int64_t> times{0, 1};
  times.insert(times.end(), 6, 1000 * second_ns);
  EXPECT_EQ(first_beyond(rate(5, 1), times), 7U);
}

TEST(RateBound, TellsTheWindow) {
  BoundWatch watch;
  for (int i = 0; i < 3; ++i) ASSERT_FALSE(watch.admitted(rate(3, 1), 7));
  const auto found = watch.admitted(rate(3, 1), second_ns / 2);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->from_ns, 7);
  EXPECT_EQ(found->to_ns, second_ns / 2);
  EXPECT_EQ(found->admitted, 4U);
  EXPECT_EQ(found->allowed, 3U);
}

/// Every window, counted one by one.
bool exceeded_by_hand(const RateBound& bound, const std::vector<std::int64_t>& times) {
  for (std::size_t i = 0; i < times.size(); ++i) {
    for (std::size_t j = i; j < times.size(); ++j) {
      const double allowed =
          bound.burst + bound.per_second * static_cast<double>(times[j] - times[i]) / 1e9;
      if (static_cast<double>(j - i + 1) > allowed * (1 + 1e-9) + 1e-6) return true;
    }
  }
  return false;
}

TEST(RateBound, IsTheSameAsCountingEveryWindow) {
  std::mt19937_64 random(1);
  int exceeded = 0;
  for (int run = 0; run < 2000; ++run) {
    const RateBound bound{static_cast<double>(1 + random() % 5), 1.5};
    std::vector<std::int64_t> times{static_cast<std::int64_t>(random() % 1000)};
    for (int i = 0; i < 30; ++i) {
      times.push_back(times.back() + static_cast<std::int64_t>(random() % (2 * second_ns)));
    }
    const bool by_hand = exceeded_by_hand(bound, times);
    exceeded += by_hand ? 1 : 0;
    ASSERT_EQ(first_beyond({"", bound}, times).has_value(), by_hand) << run;
  }
  EXPECT_GT(exceeded, 100);
  EXPECT_LT(exceeded, 1900);
}

TEST(WindowBound, BeginsWithAnAdmissionAndEnds) {
  EXPECT_EQ(first_beyond(window(2, second_ns), {0, 1, second_ns - 1}), 2U);
  EXPECT_EQ(first_beyond(window(2, second_ns), {0, second_ns - 1, second_ns, second_ns + 1}),
            std::nullopt);
  EXPECT_EQ(first_beyond(window(2, second_ns), {0, second_ns, second_ns + 1, 2 * second_ns - 1}),
            3U);
  EXPECT_EQ(first_beyond(window(0, second_ns), {0}), 0U);
}

TEST(AdmissionBounds, KeysApartAndTheBoundIsNamed) {
  AdmissionBounds bounds({rate(3, 1), window(2, second_ns)}, 2);
  EXPECT_FALSE(bounds.admitted(0, 0));
  EXPECT_FALSE(bounds.admitted(1, 0));
  EXPECT_FALSE(bounds.admitted(0, 0));
  const auto found = bounds.admitted(0, 0);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->bound, 1U);
  EXPECT_FALSE(bounds.admitted(1, 0));
}

}  // namespace
}  // namespace hallmark::oracle
