#include "loadgen/arrivals/departures.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <array>

#include "base/nanoseconds.hpp"

namespace hallmark::loadgen {
namespace {

using base::second_ns;
using reports::Met;

SchedulePlan poisson(RateProfile rate, std::int64_t duration_ns, std::uint64_t seed = 1) {
  return {.arrivals = Arrivals::poisson,
          .rate = std::move(rate),
          .duration_ns = duration_ns,
          .connections = 7,
          .seed = seed};
}

/// The test of requests that are planned as `planned` says, and leave `late` later.
template <class Late>
reports::ProcessTest tested(const SchedulePlan& asked, const SchedulePlan& planned, Late late) {
  DepartureLog log(asked);
  Schedule schedule(planned);
  while (const auto due = schedule.take_due(planned.duration_ns)) {
    if (log.marks(due->ordinal)) log.record(due->ordinal, due->at_ns + late(*due));
  }
  return test_of(std::array<const DepartureLog*, 1>{&log});
}

std::int64_t punctual(const Planned&) { return 0; }

TEST(Departures, ThoseOfAPoissonProcessAreWhatWasAsked) {
  for (const double rate : {300.0, 5'000.0, 50'000.0}) {
    const auto plan = poisson(rate, 10 * second_ns);
    const auto result = tested(plan, plan, punctual);
    EXPECT_EQ(result.as_asked, Met::yes) << rate << ": p " << result.p_value;
    EXPECT_GE(result.spans, 80U);
  }
}

TEST(Departures, OfThreeThreadsAreTestedTogether) {
  const auto plan = poisson(5'000, 10 * second_ns);  // on seven connections
  std::vector<DepartureLog> logs;
  for (const std::uint32_t own : {3U, 2U, 2U}) logs.emplace_back(plan, own / 7.0);
  for (std::uint32_t thread = 0; thread < 3; ++thread) {
    Schedule schedule(plan, thread, 3);
    while (const auto due = schedule.take_due(plan.duration_ns)) {
      if (logs[thread].marks(due->ordinal)) logs[thread].record(due->ordinal, due->at_ns);
    }
  }
  const std::array<const DepartureLog*, 3> all{&logs[0], &logs[1], &logs[2]};
  EXPECT_EQ(test_of(all).as_asked, Met::yes);
  EXPECT_GE(test_of(all).spans, 500U);
}

TEST(Departures, OfManySeedsFewAreRefuted) {
  int refuted = 0;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    const auto plan = poisson(2'000, 10 * second_ns, seed);
    refuted += tested(plan, plan, punctual).as_asked == Met::no ? 1 : 0;
  }
  EXPECT_LE(refuted, 3);  // 0.2 expected
}

TEST(Departures, AConstantProcessIsNoPoissonProcess) {
  for (const double rate : {1'000.0, 50'000.0}) {
    const auto asked = poisson(rate, 5 * second_ns);
    auto constant = asked;
    constant.arrivals = Arrivals::constant;
    const auto result = tested(asked, constant, punctual);
    EXPECT_EQ(result.as_asked, Met::no) << rate;
    EXPECT_LT(result.p_value, 1e-9);
  }
}

TEST(Departures, AnotherRateIsNotTheOneAsked) {
  const auto asked = poisson(10'000, 5 * second_ns);
  EXPECT_EQ(tested(asked, poisson(9'000, 5 * second_ns), punctual).as_asked, Met::no);
}

TEST(Departures, ARateThatChangesIsTestedInItsOwnTime) {
  const auto ramp = poisson(*RateProfile::parse("1k..20k", std::chrono::seconds(5)), 5 * second_ns);
  EXPECT_EQ(tested(ramp, ramp, punctual).as_asked, Met::yes);
  const auto bursts =
      poisson(*RateProfile::parse("20k@100ms,0@400ms", std::chrono::seconds(5)), 5 * second_ns);
  EXPECT_EQ(tested(bursts, bursts, punctual).as_asked, Met::yes);
  EXPECT_EQ(tested(poisson(4'000, 5 * second_ns), bursts, punctual).as_asked, Met::no);
}

TEST(Departures, WhatATimerIsOffByDoesNotMatterAndAClientThatSleepsDoes) {
  const base::CounterRandom random(3, RandomStream::value);
  const auto plan = poisson(50'000, 5 * second_ns);
  const auto jitter = [&](const Planned& due) {
    return static_cast<std::int64_t>(random.below_at(due.ordinal, 60'000));
  };
  EXPECT_EQ(tested(plan, plan, jitter).as_asked, Met::yes);
  // It wakes up every 10 ms, and sends all that is due by then.
  const auto sleeper = [](const Planned& due) { return 10'000'000 - due.at_ns % 10'000'000; };
  EXPECT_EQ(tested(plan, plan, sleeper).as_asked, Met::no);
}

TEST(Departures, TooFewAreNotJudged) {
  const auto plan = poisson(100, second_ns);
  EXPECT_EQ(tested(plan, plan, punctual).as_asked, Met::unknown);
}

TEST(Departures, ASpanThatWasNotSentIsLeftOut) {
  const auto plan = poisson(2'000, 10 * second_ns);
  DepartureLog log(plan);
  Schedule schedule(plan);
  while (const auto due = schedule.take_due(plan.duration_ns)) {
    if (log.marks(due->ordinal) && due->ordinal > 10'000) log.record(due->ordinal, due->at_ns);
  }
  EXPECT_EQ(test_of(std::array<const DepartureLog*, 1>{&log}).as_asked, Met::yes);
}

TEST(Departures, TheSampleIsBoundedHoweverLongTheRun) {
  const DepartureLog log(poisson(1e6, 3600 * second_ns));
  std::uint64_t marked = 0;
  for (std::uint64_t index = 0; index < 100'000'000; index += 1)
    marked += log.marks(index) ? 1U : 0U;
  // At most 2 * 2048 of 3.6e9 requests are marked.
  EXPECT_LE(marked, 2 * 2048 / 36 + 2);
  EXPECT_GE(log.span(), 40'000U);
}

}  // namespace
}  // namespace hallmark::loadgen
