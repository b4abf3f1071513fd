#include "oracle/limit_oracle.hpp"

#include <gtest/gtest.h>

#include "oracle/tests/simulation.hpp"

namespace hallmark::oracle {
namespace {

constexpr double ns_per_millisecond = 1e6;

struct Case {
  std::string name;
  Limit limit;
  Traffic traffic;
};

std::vector<Case> cases() {
  std::vector<Case> all;
  for (const auto discipline : {Discipline::strict, Discipline::leaky}) {
    const std::string of{name_of(discipline)};
    const Limit address{22, 20, discipline};
    const Limit quick{5, 1, discipline};
    const Limit half{0.5, 10, discipline};
    const Limit busy{2500, 10, discipline};
    all.push_back({of + "_one_after_another", address, {300, 50 * ns_per_millisecond, 1e4, 0, 0}});
    all.push_back({of + "_burst", address, {300, 1e5, 1e6, 0, 0}});
    all.push_back(
        {of + "_quick", quick, {500, 100 * ns_per_millisecond, 10 * ns_per_millisecond, 0, 0}});
    all.push_back(
        {of + "_half", half, {200, 3'000 * ns_per_millisecond, 100 * ns_per_millisecond, 0, 0}});
    all.push_back({of + "_busy", busy, {5'000, 2 * ns_per_millisecond, ns_per_millisecond, 0, 0}});
    all.push_back(
        {of + "_lossy", quick, {400, 100 * ns_per_millisecond, 5 * ns_per_millisecond, 0.1, 0}});
    all.push_back({of + "_long_period", {50, 86'400, discipline}, {200, 1e9, 1e8, 0.01, 0}});
  }
  return all;
}

class Right : public ::testing::TestWithParam<Case> {};

TEST_P(Right, a_right_server_is_never_accused) {
  const auto& [name, limit, traffic] = GetParam();
  std::uint64_t decided = 0;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    for (const bool above : {false, true}) {
      Estimator estimator{limit};
      estimator.above = above;
      for (const auto when : {OverWhen::unknown, above ? OverWhen::above : OverWhen::at_limit}) {
        const auto told = play(estimator, limit, {.over_when = when}, traffic, seed);
        ASSERT_EQ(told.findings.size(), 0U) << "seed " << seed;
        ASSERT_EQ(told.outside, 0U) << "seed " << seed;
        decided += told.decided;
      }
    }
  }
  EXPECT_GT(decided, 0U);
}

std::string name_of_row(const ::testing::TestParamInfo<Case>& row) { return row.param.name; }
INSTANTIATE_TEST_SUITE_P(Rows, Right, ::testing::ValuesIn(cases()), name_of_row);

TEST(LimitOracle, a_right_server_behind_a_network_that_doubles_is_never_accused) {
  for (const auto discipline : {Discipline::strict, Discipline::leaky}) {
    const Limit limit{22, 20, discipline};
    const Traffic traffic{300, 100 * ns_per_millisecond, 5 * ns_per_millisecond, 0.02, 0.05};
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
      const auto told = play(Estimator{limit}, limit, {.may_repeat = true}, traffic, seed);
      ASSERT_EQ(told.findings.size(), 0U) << "seed " << seed;
      ASSERT_EQ(told.outside, 0U) << "seed " << seed;
    }
  }
}

/// Even without knowing that the network doubles, one learns it from a reply that came twice. A
/// violation that doubled requests explain must need no more of them than there were uses before
/// it.
TEST(LimitOracle, what_doubled_requests_explain_is_told_apart) {
  const Limit limit{22, 20, Discipline::strict};
  const Traffic traffic{300, 100 * ns_per_millisecond, 5 * ns_per_millisecond, 0, 0.05};
  std::uint64_t accused = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    for (const Finding& finding : play(Estimator{limit}, limit, {}, traffic, seed).findings) {
      ++accused;
      EXPECT_LE(finding.explained_by, static_cast<double>(finding.uses_before));
    }
  }
  EXPECT_GT(accused, 0U);
}

struct Wrong {
  std::string name;
  Estimator::Mistakes mistakes;
  Limit limit;
  Traffic traffic;
  UseVerdict first;
};

class WrongEstimator : public ::testing::TestWithParam<Wrong> {};

TEST_P(WrongEstimator, is_found) {
  const Wrong& wrong = GetParam();
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const auto told =
        play(Estimator{wrong.limit, wrong.mistakes}, wrong.limit, {}, wrong.traffic, seed);
    ASSERT_FALSE(told.findings.empty()) << "seed " << seed;
    const Finding& finding = told.findings.front();
    EXPECT_EQ(finding.verdict, wrong.first) << "seed " << seed;
    EXPECT_GE(finding.to_ns, finding.from_ns);
    EXPECT_FALSE(finding.uses.empty());
    const bool more = finding.admitted > finding.allowed;
    const bool fewer = finding.admitted < finding.allowed;
    EXPECT_EQ(more, finding.verdict == UseVerdict::over_admitted);
    EXPECT_EQ(fewer, finding.verdict == UseVerdict::under_admitted);
  }
}

std::vector<Wrong> wrong_estimators() {
  constexpr Limit strict{22, 20, Discipline::strict};
  constexpr Limit leaky{22, 20, Discipline::leaky};
  const Traffic apart{300, 20 * ns_per_millisecond, 1e4, 0, 0};
  const Traffic slow{300, 700 * ns_per_millisecond, 1e4, 0, 0};
  const Traffic together{300, ns_per_millisecond, 3 * ns_per_millisecond, 0, 0};
  const Traffic lossy{600, 20 * ns_per_millisecond, 1e4, 0.005, 0};
  using enum UseVerdict;
  return {
      {"limit_one_more", {.limit_off_by = 1}, strict, apart, over_admitted},
      {"limit_one_less", {.limit_off_by = -1}, strict, apart, under_admitted},
      {"limit_one_more_leaky", {.limit_off_by = 1}, leaky, apart, over_admitted},
      {"limit_one_less_leaky", {.limit_off_by = -1}, leaky, apart, under_admitted},
      {"limit_twice_in_flight_together", {.limit_off_by = 22}, strict, together, over_admitted},
      {"limit_half_in_flight_together", {.limit_off_by = -15}, strict, together, under_admitted},
      {"limit_twice_lossy", {.limit_off_by = 22}, strict, lossy, over_admitted},
      {"period_half", {.period_times = 0.5}, strict, slow, rate_wrong},
      {"period_twice", {.period_times = 2}, strict, slow, rate_wrong},
      {"forgets", {.forgets_every = 15}, strict, apart, rate_wrong},
      {"leaky_for_strict", {.other_discipline = true}, strict, apart, rate_wrong},
      {"strict_for_leaky", {.other_discipline = true}, leaky, apart, rate_wrong},
      {"counts_twice", {.counts_twice = true}, strict, apart, rate_wrong},
      {"prints_a_tenth_more", {.rate_off_by = 0.11}, strict, apart, rate_wrong},
  };
}

INSTANTIATE_TEST_SUITE_P(Rows, WrongEstimator, ::testing::ValuesIn(wrong_estimators()),
                         [](const auto& row) { return row.param.name; });

}  // namespace
}  // namespace hallmark::oracle
