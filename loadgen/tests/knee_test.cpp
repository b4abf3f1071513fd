#include "loadgen/results/knee.hpp"

#include <gmock/gmock.h>

#include <cmath>

#include "loadgen/arrivals/random_stream.hpp"

namespace hallmark::loadgen {
namespace {

using reports::ExitCode;
using reports::Knee;
using reports::KneePoint;
using reports::Met;

KneePoint point(Met met) {
  KneePoint made;
  made.met = met;
  return made;
}

Knee find(const Probe& probe, double from = 1'000, int most_runs = 1'000) {
  int runs = 0;
  const Probe counted = [&](double rate) {
    ++runs;
    return probe(rate);
  };
  return find_knee({.from = from}, counted, [&] { return runs < most_runs; });
}

TEST(Knee, IsTheRateUpToWhichAServerHolds) {
  for (const double capacity : {1'500.0, 12'345.0, 987'654.0}) {
    const Knee knee =
        find([&](double rate) { return point(rate <= capacity ? Met::yes : Met::no); });
    EXPECT_LE(knee.rate, capacity);
    EXPECT_GE(knee.rate, capacity / 1.06);
    EXPECT_LE(knee.low, capacity);
    EXPECT_GE(knee.high, capacity / 1.06);
    EXPECT_EQ(knee.up.size(), 3U);
    EXPECT_EQ(knee.down.size(), 3U);
    EXPECT_EQ(knee.up, knee.down);
    EXPECT_EQ(reports::exit_code(knee), ExitCode::as_expected);
  }
}

// As one that is measured: near its limit a run holds or not by chance.
TEST(Knee, OfAServerThatVariesLiesInTheInterval) {
  constexpr double capacity = 50'000;
  int inside = 0;
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    const base::CounterRandom random(seed, RandomStream::value);
    std::uint64_t drawn = 0;
    const Knee knee = find([&](double rate) {
      const double here = capacity * (0.95 + 0.1 * random.unit_at(drawn++));
      return point(rate <= here ? Met::yes : Met::no);
    });
    inside += knee.low <= capacity && capacity <= knee.high ? 1 : 0;
    EXPECT_NEAR(knee.rate, capacity, 0.1 * capacity);
  }
  EXPECT_GE(inside, 35);
}

TEST(Knee, AServerThatDoesNotRecoverIsWorseFromAbove) {
  bool behind = false;
  const Knee knee = find([&](double rate) {
    if (rate > 10'000) behind = true;
    if (rate < 9'200) behind = false;
    return point(behind ? Met::no : Met::yes);
  });
  for (std::size_t i = 0; i < knee.up.size(); ++i) EXPECT_GT(knee.up[i], knee.down[i]);
  EXPECT_LT(knee.low, knee.up[0]);
}

TEST(Knee, NothingThatHoldsIsAFailure) {
  const Knee knee = find([](double) { return point(Met::no); });
  EXPECT_EQ(knee.rate, 0);
  EXPECT_EQ(knee.points.size(), 1U);
  EXPECT_EQ(reports::exit_code(knee), ExitCode::failures);
}

TEST(Knee, AClientThatCannotSayIsAskedAgainAndThenEndsTheWay) {
  int disturbed = 0;
  const Knee once = find([&](double rate) {
    if (rate > 3'000 && disturbed++ == 0) return point(Met::unknown);
    return point(rate <= 20'000 ? Met::yes : Met::no);
  });
  EXPECT_FALSE(once.client_limited);
  EXPECT_NEAR(once.rate, 20'000, 1'200);
  const Knee limited =
      find([](double rate) { return point(rate <= 20'000 ? Met::yes : Met::unknown); });
  EXPECT_TRUE(limited.client_limited);
  EXPECT_EQ(reports::exit_code(limited), ExitCode::indeterminate);
}

TEST(Knee, ASearchThatIsInterruptedKeepsWhatItKnows) {
  const Knee knee =
      find([](double rate) { return point(rate <= 20'000 ? Met::yes : Met::no); }, 1'000, 9);
  EXPECT_TRUE(knee.interrupted);
  EXPECT_EQ(knee.points.size(), 9U);
  EXPECT_GT(knee.rate, 10'000);
  EXPECT_EQ(reports::exit_code(knee), ExitCode::indeterminate);
}

TEST(Knee, IsNeverAboveTheHighestRateThatIsTried) {
  const Knee knee = find_knee(
      {.from = 1'000, .most = 50'000}, [](double) { return point(Met::yes); }, [] { return true; });
  EXPECT_LE(knee.rate, 50'000 * 1.0001);
  for (const KneePoint& one : knee.points) EXPECT_LE(one.rate, 50'000);
}

}  // namespace
}  // namespace hallmark::loadgen
