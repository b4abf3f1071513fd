#include "oracle/rate_bounds.hpp"

#include <gtest/gtest.h>

#include "base/nanoseconds.hpp"
#include "oracle/tests/simulation.hpp"

namespace hallmark::oracle {
namespace {

using base::second_ns;

constexpr Limit per_address{22, 20, Discipline::strict};
constexpr std::int64_t millisecond_ns = 1'000'000;

Judgement one(RateBounds& bounds, std::int64_t at_ns, const UseReply& reply) {
  const auto use = bounds.sent(at_ns);
  return bounds.answered(use, at_ns + 10'000, reply);
}

TEST(RateBounds, the_first_use_has_rate_0) {
  RateBounds bounds{per_address, {}};
  const auto judgement = one(bounds, 0, {false, 0});
  EXPECT_EQ(judgement.verdict, UseVerdict::ok);
  EXPECT_EQ(judgement.rate.low, 0);
  EXPECT_EQ(judgement.rate.high, 0);
}

/// The burst of the captured server: 0.0, 1.0 … 22.0 not over, 23.0 over.
TEST(RateBounds, the_captured_burst_is_right) {
  RateBounds bounds{per_address, {}};
  for (std::uint64_t i = 0; i < 30; ++i) {
    const auto judgement = one(bounds, static_cast<std::int64_t>(i) * 20'000, {i > 22, 10 * i});
    EXPECT_EQ(judgement.verdict, UseVerdict::ok) << i;
  }
}

TEST(RateBounds, one_use_too_many_is_seen) {
  RateBounds bounds{per_address, {}};
  for (std::uint64_t i = 0; i <= 22; ++i) one(bounds, 0, {false, 10 * i});
  EXPECT_EQ(one(bounds, 0, {false, 230}).verdict, UseVerdict::over_admitted);
}

TEST(RateBounds, one_use_too_few_is_seen) {
  RateBounds bounds{per_address, {}};
  for (std::uint64_t i = 0; i < 21; ++i) one(bounds, 0, {false, 10 * i});
  const auto judgement = one(bounds, 0, {true, 210});
  EXPECT_EQ(judgement.verdict, UseVerdict::under_admitted);
  EXPECT_EQ(judgement.explained_by, 1);
}

TEST(RateBounds, a_rate_that_cannot_be_is_seen) {
  RateBounds bounds{per_address, {}};
  one(bounds, 0, {false, 0});
  EXPECT_EQ(one(bounds, 0, {false, 9}).verdict, UseVerdict::rate_wrong);
}

TEST(RateBounds, a_rate_is_rounded_to_nearest) {
  // x = 1 / 10: g(x) = 0.951…, printed 1.0.
  RateBounds bounds{{22, 10, Discipline::strict}, {}};
  one(bounds, 0, {false, 0});
  RateBounds again = bounds;
  EXPECT_EQ(one(bounds, second_ns, {false, 10}).verdict, UseVerdict::ok);
  EXPECT_EQ(one(again, second_ns, {false, 9}).verdict, UseVerdict::rate_wrong);
}

TEST(RateBounds, a_printed_rate_binds_its_own_verdict) {
  RateBounds bounds{per_address, {}};
  std::vector<RateBounds::Use> uses;
  for (int i = 0; i < 60; ++i) uses.push_back(bounds.sent(0));
  for (int i = 0; i < 30; ++i) {
    EXPECT_EQ(bounds.answered(uses[static_cast<std::size_t>(i)], i, {false, 100}).verdict,
              UseVerdict::ok);
  }
  EXPECT_EQ(bounds.answered(uses[30], 100, {false, 221}).verdict, UseVerdict::over_admitted);
  EXPECT_EQ(bounds.answered(uses[31], 101, {true, 219}).verdict, UseVerdict::under_admitted);
}

TEST(RateBounds, at_the_limit_neither_answer_is_wrong_while_nothing_says_which) {
  const Limit none{0, 10, Discipline::strict};
  for (const bool over : {false, true}) {
    RateBounds bounds{none, {}};
    EXPECT_EQ(one(bounds, 0, {over, 0}).verdict, UseVerdict::ok);
  }
  RateBounds at_limit{none, {.over_when = OverWhen::at_limit}};
  EXPECT_EQ(one(at_limit, 0, {false, 0}).verdict, UseVerdict::over_admitted);
  RateBounds above{none, {.over_when = OverWhen::above}};
  EXPECT_EQ(one(above, 0, {true, 0}).verdict, UseVerdict::under_admitted);
}

TEST(RateBounds, requests_in_flight_together_have_any_order) {
  for (const bool first_is_first : {true, false}) {
    RateBounds bounds{{0.5, 10, Discipline::strict}, {}};
    const auto a = bounds.sent(0);
    const auto b = bounds.sent(1);
    EXPECT_EQ(bounds.answered(a, 100, {!first_is_first, first_is_first ? 0U : 10U}).verdict,
              UseVerdict::ok);
    EXPECT_EQ(bounds.answered(b, 101, {first_is_first, first_is_first ? 10U : 0U}).verdict,
              UseVerdict::ok);
  }
}

TEST(RateBounds, what_a_leaky_key_refuses_leaves_nothing_behind) {
  const Limit leaky{2, 10, Discipline::leaky};
  RateBounds bounds{leaky, {}};
  for (const UseReply& reply : {UseReply{false, 0}, {false, 10}, {false, 20}}) {
    EXPECT_EQ(one(bounds, 0, reply).verdict, UseVerdict::ok);
  }
  for (int i = 0; i < 5; ++i) EXPECT_EQ(one(bounds, 0, {true, 30}).verdict, UseVerdict::ok);
  EXPECT_EQ(one(bounds, 0, {true, 40}).verdict, UseVerdict::rate_wrong);
}

TEST(RateBounds, an_unanswered_use_may_have_counted_or_not) {
  for (const std::uint64_t rate : {0U, 10U}) {
    RateBounds bounds{per_address, {}};
    bounds.unanswered(bounds.sent(0));
    EXPECT_EQ(one(bounds, second_ns, {false, rate}).verdict, UseVerdict::ok) << rate;
  }
}

TEST(RateBounds, a_key_with_a_history_is_never_refused_wrongly) {
  RateBounds bounds{per_address, {.fresh_key = false}};
  EXPECT_EQ(one(bounds, 0, {true, 9'999}).verdict, UseVerdict::ok);
  EXPECT_EQ(one(bounds, 0, {false, 0}).verdict, UseVerdict::rate_wrong);
}

TEST(RateBounds, uses_that_may_have_come_twice_explain_a_refusal) {
  const Limit two{2, 10, Discipline::strict};
  RateBounds once{two, {}};
  RateBounds twice{two, {.may_repeat = true}};
  one(once, 0, {false, 0});
  one(twice, 0, {false, 10});
  EXPECT_EQ(one(once, 0, {true, 20}).verdict, UseVerdict::under_admitted);
  EXPECT_EQ(one(twice, 0, {true, 20}).verdict, UseVerdict::ok);
}

TEST(RateBounds, a_busy_key_is_told_within_a_hundredth) {
  // 2,500 uses in 10 s, each known to a tenth of a millisecond: the rate is known to 1e-5 of it.
  const Limit global{2500, 10, Discipline::strict};
  RateBounds bounds{global, {}};
  Judgement last;
  for (std::int64_t i = 0; i < 5'000; ++i) {
    const std::int64_t at = i * 4 * millisecond_ns;
    const auto use = bounds.sent(at);
    last = bounds.answered(use, at + 100'000, {});
  }
  EXPECT_LT(last.rate.high - last.rate.low, 0.1);
  EXPECT_GT(last.rate.low, 2'000);
}

}  // namespace
}  // namespace hallmark::oracle
