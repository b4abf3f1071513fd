#include "loadgen/results/knee.hpp"

#include <gmock/gmock.h>

#include <array>
#include <cmath>
#include <functional>
#include <random>

#include "base/random.hpp"

namespace hallmark::loadgen {
namespace {

using reports::ExitCode;
using reports::Knee;
using reports::KneePoint;
using reports::Met;

/// A target that is asked for a rate.
using SimulatedTarget = std::function<Met(double rate)>;

Knee find(const KneeSearch& search, const SimulatedTarget& target) {
  KneeFinder finder(search);
  for (auto trial = finder.next(); trial; trial = finder.next()) {
    KneePoint point;
    point.met = target(trial->rate);
    finder.take(std::move(point));
  }
  return finder.knee();
}

Knee find(const SimulatedTarget& target) { return find(KneeSearch(), target); }

Met met(bool holds) { return holds ? Met::yes : Met::no; }

SimulatedTarget steady(double capacity) {
  return [capacity](double rate) { return met(rate <= capacity); };
}

/// Its capacity varies from run to run: as the exponential of a normal distribution of this
/// deviation. Once asked for more it is behind, and holds only below `recovery` of its capacity.
class VaryingTarget {
 public:
  VaryingTarget(double capacity, double deviation, double recovery, std::uint64_t seed)
      : capacity_(capacity), recovery_(recovery), deviation_(0, deviation), random_(seed) {}

  Met operator()(double rate) {
    const double here = capacity_ * std::exp(deviation_(random_));
    behind_ = rate > (behind_ ? recovery_ * here : here);
    return met(!behind_);
  }

 private:
  double capacity_;
  double recovery_;
  bool behind_ = false;
  std::normal_distribution<> deviation_;
  base::Random random_;
};

struct KindOfTarget {
  const char* name;
  double deviation;
  double recovery;
};
constexpr std::array kinds_of_target{KindOfTarget{"steady", 1e-9, 1},
                                     KindOfTarget{"a little noisy", 0.02, 1},
                                     KindOfTarget{"noisy", 0.05, 1},
                                     KindOfTarget{"very noisy", 0.1, 1},
                                     KindOfTarget{"with hysteresis", 1e-9, 0.9},
                                     KindOfTarget{"noisy with hysteresis", 0.03, 0.8}};

/// The true capacity is that of a target that keeps up, in the median.
TEST(Knee, TheIntervalCoversTheCapacityOfAThousandTargets) {
  constexpr int targets = 1'000;
  std::array<int, kinds_of_target.size()> covered{};
  std::array<int, kinds_of_target.size()> all{};
  int sum = 0;
  for (int i = 0; i < targets; ++i) {
    const std::size_t kind = static_cast<std::size_t>(i) % kinds_of_target.size();
    const double capacity = 1'500 * std::exp2(10 * i / double{targets});
    const Knee knee =
        find(VaryingTarget(capacity, kinds_of_target[kind].deviation,
                           kinds_of_target[kind].recovery, 1 + static_cast<std::uint64_t>(i)));
    const bool covers = knee.low <= capacity && capacity <= knee.high;
    ++all[kind];
    covered[kind] += covers ? 1 : 0;
    sum += covers ? 1 : 0;
    EXPECT_LE(knee.low, knee.rate);
    EXPECT_GE(knee.high, knee.rate);
  }
  EXPECT_GE(sum, 0.93 * targets);
  for (std::size_t kind = 0; kind < all.size(); ++kind)
    EXPECT_GE(covered[kind], 0.93 * all[kind]) << kinds_of_target[kind].name;
}

/// An interval that covers everything would say nothing.
TEST(Knee, TheIntervalOfASteadyTargetIsAboutAStep) {
  for (const double capacity : {1'500.0, 12'345.0, 987'654.0}) {
    const Knee knee = find(steady(capacity));
    EXPECT_LE(knee.rate, capacity);
    EXPECT_GE(knee.rate, capacity / 1.06);
    EXPECT_LE(knee.high / knee.low, 1.1);
    EXPECT_EQ(knee.up, knee.down);
    EXPECT_EQ(knee.confirmed, knee.rate);
    EXPECT_LE(knee.points.size(), 60U);
    EXPECT_EQ(reports::exit_code(knee), ExitCode::as_expected);
  }
}

TEST(Knee, ATargetThatDoesNotRecoverIsWorseFromAbove) {
  const Knee knee = find(VaryingTarget(10'000, 1e-9, 0.7, 1));
  for (std::size_t i = 1; i < knee.down.size(); ++i) EXPECT_GT(knee.up[i], knee.down[i]);
  EXPECT_LE(knee.low, 7'000);
  EXPECT_GE(knee.high, 10'000);
}

TEST(Knee, OneRunThatFailsByChanceDoesNotEndTheDoubling) {
  int runs = 0;
  const Knee knee = find([&](double rate) { return met(rate <= 500'000 && ++runs != 3); });
  EXPECT_NEAR(knee.rate, 500'000, 25'000);
  EXPECT_LE(knee.points.size(), 60U);
}

TEST(Knee, NothingThatHoldsIsAFailure) {
  const Knee knee = find([](double) { return Met::no; });
  EXPECT_EQ(knee.rate, 0);
  EXPECT_EQ(knee.points.size(), 2U);
  EXPECT_EQ(reports::exit_code(knee), ExitCode::failures);
}

TEST(Knee, AClientThatCannotSayIsAskedAgainAndThenEndsTheWay) {
  int disturbed = 0;
  const Knee once = find([&](double rate) {
    if (rate > 3'000 && disturbed++ == 0) return Met::unknown;
    return met(rate <= 20'000);
  });
  EXPECT_FALSE(once.client_limited);
  EXPECT_NEAR(once.rate, 20'000, 1'200);
  const Knee limited = find([](double rate) { return rate <= 20'000 ? Met::yes : Met::unknown; });
  EXPECT_TRUE(limited.client_limited);
  EXPECT_EQ(reports::exit_code(limited), ExitCode::indeterminate);
}

TEST(Knee, IsKnownAtAnyTime) {
  KneeFinder finder({});
  EXPECT_EQ(finder.knee().rate, 0);
  for (int i = 0; i < 9; ++i) {
    KneePoint point;
    point.met = met(finder.next()->rate <= 20'000);
    finder.take(std::move(point));
  }
  EXPECT_EQ(finder.knee().points.size(), 9U);
  EXPECT_GT(finder.knee().rate, 10'000);
}

TEST(Knee, IsNeverAboveTheHighestRateThatIsTried) {
  const Knee knee = find({.from = 1'000, .most = 50'000}, [](double) { return Met::yes; });
  EXPECT_EQ(knee.rate, 50'000);
  for (const KneePoint& one : knee.points) EXPECT_LE(one.rate, 50'000);
  EXPECT_LE(knee.points.size(), 20U);
}

/// A longer run finds what short ones do not, such as a queue that grows.
TEST(Knee, TheConfirmationGoesDownUntilALongerRunHolds) {
  KneeFinder finder({});
  for (auto trial = finder.next(); trial; trial = finder.next()) {
    KneePoint point;
    point.met = met(trial->rate <= (trial->sweep == "confirm" ? 9'700 : 10'000));
    finder.take(std::move(point));
  }
  const Knee knee = finder.knee();
  EXPECT_LE(knee.confirmed, 9'700);
  EXPECT_GE(knee.confirmed, 9'000);
  EXPECT_EQ(reports::exit_code(knee), ExitCode::as_expected);
}

TEST(Knee, IsNotConfirmedWhereNoLongerRunHolds) {
  KneeFinder finder({});
  for (auto trial = finder.next(); trial; trial = finder.next()) {
    KneePoint point;
    point.met = met(trial->rate <= 10'000 && trial->sweep != "confirm");
    finder.take(std::move(point));
  }
  EXPECT_EQ(finder.knee().confirmed, 0);
  EXPECT_EQ(reports::exit_code(finder.knee()), ExitCode::indeterminate);
  const Knee untried = find({.confirm = false}, steady(10'000));
  EXPECT_EQ(reports::exit_code(untried), ExitCode::as_expected);
}

}  // namespace
}  // namespace hallmark::loadgen
