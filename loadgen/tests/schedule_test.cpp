#include "loadgen/arrivals/schedule.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/nanoseconds.hpp"

namespace hallmark::loadgen {
namespace {

using base::second_ns;

SchedulePlan plan_of(Arrivals arrivals, double rate, std::uint32_t connections = 1) {
  return {arrivals, rate, second_ns, connections, 42};
}

std::vector<Planned> everything(Schedule schedule) {
  std::vector<Planned> all;
  while (const auto due = schedule.take_due(INT64_MAX)) all.push_back(*due);
  return all;
}

bool same(const Planned& a, const Planned& b) {
  return a.index == b.index && a.at_ns == b.at_ns && a.connection == b.connection;
}

TEST(Schedule, constant_arrivals_are_evenly_spaced_from_the_start) {
  const auto all = everything(Schedule{plan_of(Arrivals::constant, 1000)});
  ASSERT_EQ(all.size(), 1000U);
  for (std::size_t i = 0; i < all.size(); ++i) {
    ASSERT_EQ(all[i].index, i);
    ASSERT_EQ(all[i].at_ns, static_cast<std::int64_t>(i) * 1'000'000);
  }
}

TEST(Schedule, a_rate_that_does_not_divide_a_second_does_not_drift) {
  const auto all = everything(Schedule{plan_of(Arrivals::constant, 3)});
  ASSERT_EQ(all.size(), 3U);
  EXPECT_EQ(all[1].at_ns, 333'333'333);
  EXPECT_EQ(all[2].at_ns, 666'666'666);
}

TEST(Schedule, a_rate_below_one_plans_its_first_request_at_once) {
  EXPECT_EQ(everything(Schedule{plan_of(Arrivals::constant, 0.5)}).size(), 1U);
}

TEST(Schedule, only_what_is_due_is_given) {
  Schedule schedule{plan_of(Arrivals::constant, 1000)};
  EXPECT_FALSE(schedule.take_due(-1));
  EXPECT_TRUE(schedule.take_due(0));
  EXPECT_FALSE(schedule.take_due(999'999));
  EXPECT_EQ(schedule.next()->at_ns, 1'000'000);
  EXPECT_TRUE(schedule.take_due(2'000'000));
  EXPECT_TRUE(schedule.take_due(2'000'000));
  EXPECT_FALSE(schedule.take_due(2'000'000));
}

TEST(Schedule, an_empty_run_plans_nothing) {
  auto plan = plan_of(Arrivals::constant, 1000);
  plan.duration_ns = 0;
  EXPECT_FALSE(Schedule{plan}.next());
}

TEST(Schedule, connections_take_turns_and_share_no_phase) {
  const auto all = everything(Schedule{plan_of(Arrivals::constant, 1000, 8)});
  for (const auto& planned : all) ASSERT_EQ(planned.connection, planned.index % 8);
  for (std::size_t i = 1; i < all.size(); ++i) ASSERT_LT(all[i - 1].at_ns, all[i].at_ns);
}

struct Division {
  std::string name;
  Arrivals arrivals;
  std::uint32_t connections;
  std::uint32_t threads;
};

class Shares : public testing::TestWithParam<Division> {};

TEST_P(Shares, together_are_the_whole_schedule) {
  const auto& row = GetParam();
  const auto plan = plan_of(row.arrivals, 5000, row.connections);
  std::vector<Planned> together;
  for (std::uint32_t t = 0; t < row.threads; ++t) {
    const auto share = everything(Schedule{plan, t, row.threads});
    for (const auto& planned : share) ASSERT_EQ(planned.connection % row.threads, t);
    together.insert(together.end(), share.begin(), share.end());
  }
  auto whole = everything(Schedule{plan});
  std::ranges::sort(together, {}, &Planned::index);
  std::ranges::sort(whole, {}, &Planned::index);
  EXPECT_TRUE(std::ranges::equal(together, whole, same));
}

INSTANTIATE_TEST_SUITE_P(Threads, Shares,
                         testing::Values(Division{"constant_one_to_one", Arrivals::constant, 2, 2},
                                         Division{"constant_uneven", Arrivals::constant, 7, 3},
                                         Division{"poisson_uneven", Arrivals::poisson, 7, 3},
                                         Division{"poisson_more_threads_than_connections",
                                                  Arrivals::poisson, 2, 4}),
                         [](const auto& row) { return row.param.name; });

// The mean and the coefficient of variation of exponential gaps are both 1 in units of the mean
// gap; the bounds are over five standard errors at 100,000 gaps.
TEST(Schedule, poisson_gaps_are_exponential) {
  const auto all = everything(Schedule{plan_of(Arrivals::poisson, 100'000)});
  double sum = 0;
  double squares = 0;
  for (std::size_t i = 1; i < all.size(); ++i) {
    const double gap = static_cast<double>(all[i].at_ns - all[i - 1].at_ns) / 10'000.0;
    ASSERT_GE(gap, 0.0);
    sum += gap;
    squares += gap * gap;
  }
  const auto n = static_cast<double>(all.size() - 1);
  EXPECT_NEAR(n, 100'000, 5 * std::sqrt(100'000.0));
  EXPECT_NEAR(sum / n, 1.0, 0.02);
  EXPECT_NEAR(squares / n, 2.0, 0.1);
}

// The same with 8 connections, each of which has gaps of its own.
TEST(Schedule, poisson_gaps_are_exponential_on_each_connection) {
  constexpr std::uint32_t connections = 8;
  std::vector<std::vector<std::int64_t>> times(connections);
  std::uint64_t ordinal = 0;
  std::int64_t last_ns = 0;
  for (const Planned& one :
       everything(Schedule{plan_of(Arrivals::poisson, 800'000, connections)})) {
    ASSERT_GE(one.at_ns, last_ns);
    ASSERT_EQ(one.ordinal, ordinal++);
    last_ns = one.at_ns;
    ASSERT_EQ(one.index, one.connection + times[one.connection].size() * connections);
    times[one.connection].push_back(one.at_ns);
  }
  for (const auto& own : times) {
    double squares = 0;
    for (std::size_t i = 1; i < own.size(); ++i) {
      const double gap = static_cast<double>(own[i] - own[i - 1]) / 10'000.0;
      squares += gap * gap;
    }
    EXPECT_NEAR(static_cast<double>(own.size()), 100'000, 5 * std::sqrt(100'000.0));
    EXPECT_NEAR(squares / static_cast<double>(own.size()), 2.0, 0.1);
  }
}

TEST(Schedule, a_profile_is_followed_by_both_processes) {
  for (const Arrivals arrivals : {Arrivals::constant, Arrivals::poisson}) {
    auto plan = plan_of(arrivals, 1);
    plan.rate =
        RateProfile::parse("100k@100ms,0@100ms,0..100k@300ms", std::chrono::seconds(1)).value();
    std::size_t in_burst = 0;
    std::size_t in_pause = 0;
    std::size_t in_ramp = 0;
    for (const Planned& planned : everything(Schedule{plan})) {
      const auto into = planned.at_ns % (second_ns / 2);
      ++(into < second_ns / 10 ? in_burst : into < second_ns / 5 ? in_pause : in_ramp);
    }
    // Five standard errors of Poisson; nothing at all where nothing is due.
    EXPECT_NEAR(static_cast<double>(in_burst), 20'000, 5 * std::sqrt(20'000.0));
    EXPECT_NEAR(static_cast<double>(in_ramp), 30'000, 5 * std::sqrt(30'000.0));
    EXPECT_EQ(in_pause, 0U);
  }
}

TEST(Schedule, a_replay_sends_when_it_is_told) {
  auto plan = plan_of(Arrivals::replay, 1, 3);
  plan.times =
      std::make_shared<const ArrivalTimes>(ArrivalTimes{0, 5, 5, second_ns - 1, second_ns});
  const auto all = everything(Schedule{plan});
  ASSERT_EQ(all.size(), 4U);
  EXPECT_EQ(all[2].at_ns, 5);
  EXPECT_EQ(all[3].at_ns, second_ns - 1);
  EXPECT_EQ(all[2].connection, 2U);
}

TEST(Schedule, poisson_depends_on_the_seed_alone) {
  auto plan = plan_of(Arrivals::poisson, 1000);
  const auto first = everything(Schedule{plan});
  EXPECT_TRUE(std::ranges::equal(first, everything(Schedule{plan}), same));
  plan.seed = 43;
  EXPECT_FALSE(std::ranges::equal(first, everything(Schedule{plan}), same));
}

}  // namespace
}  // namespace hallmark::loadgen
