#include "reference/model/rates/rate_limiter.hpp"

#include <gtest/gtest.h>

#include "base/nanoseconds.hpp"
#include "reference/model/tests/start.hpp"

namespace hallmark::model {
namespace {

using base::second_ns;
using protocol::ratelimit::Rules;

constexpr std::size_t enough_keys = 1'000'000;

/// A limiter with simulated time.
class Simulated {
 public:
  explicit Simulated(std::string_view rules, RateBehaviour behaviour = {},
                     std::size_t max_keys = enough_keys)
      : rules_(Rules::parse(rules).value()), limiter_(rules_, behaviour, max_keys) {}

  RatedUse use(std::string_view key) { return *limiter_.use(key, now); }
  UseCounts counts(std::string_view key) { return limiter_.counts(key, now); }
  RateLimiter& limiter() { return limiter_; }

  Time now = start;

 private:
  Rules rules_;
  RateLimiter limiter_;
};

TEST(RateLimiter, AFirstUseHasRateZeroAndNamesTheLimit) {
  Simulated server("22.5/20 strict \"a\"");
  const RatedUse use = server.use("a");
  EXPECT_FALSE(use.is_over);
  EXPECT_EQ(use.rate, 0);
  EXPECT_EQ(use.limit, 22.5);
  EXPECT_EQ(use.period_seconds, 20U);
  EXPECT_EQ(server.limiter().keys(), 1U);
}

TEST(RateLimiter, AStrictKeyCountsEveryUse) {
  Simulated server("3/20 strict \"a\"");
  for (int n = 0; n < 10; ++n) {
    const RatedUse use = server.use("a");
    EXPECT_NEAR(use.rate, n, 1e-3);
    EXPECT_EQ(use.is_over, n > 3) << n;  // after microseconds, the rate of the fourth is below 3
    server.now += 1'000;
  }
}

TEST(RateLimiter, ALeakyKeyThatIsOverKeepsItsRateAndTime) {
  Simulated server("3/20 leaky \"a\"");
  double rate_below = 0;
  Time time_below = 0;
  for (int n = 0; n < 4; ++n) {
    const RatedUse use = server.use("a");
    ASSERT_FALSE(use.is_over);
    rate_below = use.rate;
    time_below = server.now;
    server.now += 1'000;
  }
  // Each use over the limit is measured from the last one below it, until that is long ago.
  for (const Time passed : {second_ns / 1'000, second_ns, 3 * second_ns, 10 * second_ns}) {
    server.now = time_below + passed;
    const RatedUse use = server.use("a");
    EXPECT_EQ(use.rate, rate_of_use({rate_below, time_below}, server.now, 20));
    EXPECT_EQ(use.is_over, use.rate >= 3);
    if (use.is_over) continue;
    EXPECT_EQ(passed, 10 * second_ns);
  }
}

TEST(RateLimiter, UsedTooOftenAStrictKeyStaysOverAndALeakyOneDoesNot) {
  Simulated server("10/10 strict \"s\"\n10/10 leaky \"l\"");
  int strict_admitted = 0;
  int leaky_admitted = 0;
  for (int n = 0; n < 4'000; ++n) {
    const bool counts = n >= 2'000;
    strict_admitted += counts && !server.use("s").is_over ? 1 : 0;
    if (!counts) server.use("s");
    leaky_admitted += server.use("l").is_over ? 0 : 1;
    server.now += second_ns / 20;  // 200 in a period
  }
  EXPECT_EQ(strict_admitted, 0);
  EXPECT_GT(leaky_admitted, 100);  // 200 seconds at about one a second
}

TEST(RateLimiter, OverIsAtTheLimitOrAboveIt) {
  // A limit that the second of two simultaneous uses meets exactly does not exist, but 0 does.
  Simulated at("0/20 strict \"a\"");
  EXPECT_TRUE(at.use("a").is_over);
  Simulated above("0/20 strict \"a\"", {.over_when_above = true});
  EXPECT_FALSE(above.use("a").is_over);
  EXPECT_TRUE(above.use("a").is_over);
}

TEST(RateLimiter, KeysAreIndependent) {
  Simulated server("1/20 strict \"*\"");
  for (int n = 0; n < 5; ++n) server.use("a");
  EXPECT_EQ(server.use("b").rate, 0);
  EXPECT_NEAR(server.use("a").rate, 5, 1e-6);
  EXPECT_EQ(server.limiter().keys(), 2U);
}

TEST(RateLimiter, RewritesBeforeItCounts) {
  Simulated server("9/20 strict stats \"ws ua=*\" as \"ws agents\"");
  server.use("ws ua=curl");
  EXPECT_NEAR(server.use("ws ua=wget").rate, 1, 1e-6);
  EXPECT_EQ(server.limiter().keys(), 1U);
  EXPECT_EQ(server.counts("ws agents").requests, 2U);
  EXPECT_EQ(server.counts("ws ua=curl"), UseCounts{});
}

TEST(RateLimiter, ARewrittenKeyDoesNotGoThroughTheRulesAgain) {
  Simulated server("9/20 strict \"a\" as \"b\"\n9/20 strict \"b\" as \"c\"");
  server.use("a");
  EXPECT_EQ(server.use("b").rate, 0);
  EXPECT_NEAR(server.use("a").rate, 1, 1e-6);
}

TEST(RateLimiter, StatisticsAreKeptWhereTheRuleSaysSo) {
  Simulated server("1/20 strict stats \"a\"\n1/20 strict \"b\"");
  for (int n = 0; n < 6; ++n) {
    server.use("a");
    server.use("b");
  }
  EXPECT_EQ(server.counts("a"), (UseCounts{6, 4, 0}));
  EXPECT_EQ(server.counts("b"), UseCounts{});
  EXPECT_EQ(server.counts("nobody"), UseCounts{});
  server.now += UseStatistics::bucket_length;
  EXPECT_NEAR(server.counts("a").last_max_rate, 5, 1e-6);
  EXPECT_EQ(server.limiter().keys(), 2U);  // asking makes no key
}

TEST(RateLimiter, AKeyThatNoRuleIsForIsAsTheReadingSays) {
  Simulated never("1/20 strict \"a\"");
  for (int n = 0; n < 3; ++n) {
    const RatedUse use = never.use("other");
    EXPECT_FALSE(use.is_over);
    EXPECT_EQ(use.rate, 0);
    EXPECT_EQ(use.limit, 1);
    EXPECT_EQ(use.period_seconds, 1U);
  }
  EXPECT_EQ(never.limiter().keys(), 0U);

  Simulated limited("1/20 strict \"a\"", {.default_key = UnruledKey::limited});
  for (int n = 0; n < 3; ++n) limited.use("other");
  EXPECT_TRUE(limited.use("other").is_over);

  Simulated silent("1/20 strict \"a\"", {.default_key = UnruledKey::silence});
  EXPECT_EQ(silent.limiter().use("other", start), std::nullopt);
}

TEST(RateLimiter, AKeyTooManyIsAnsweredAsAFirstUseAndNotCounted) {
  Simulated server("0.5/20 strict stats \"*\"", {}, 2);
  server.use("a");
  server.use("b");
  for (int n = 0; n < 3; ++n) {
    const RatedUse use = server.use("c");
    EXPECT_FALSE(use.is_over);
    EXPECT_EQ(use.rate, 0);
    EXPECT_EQ(use.limit, 0.5);
  }
  EXPECT_EQ(server.counts("c"), UseCounts{});
  EXPECT_TRUE(server.use("a").is_over);
  EXPECT_EQ(server.limiter().keys(), 2U);
}

}  // namespace
}  // namespace hallmark::model
