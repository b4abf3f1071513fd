#include "reference/model/states/strategy.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <limits>
#include <random>

#include "base/nanoseconds.hpp"
#include "reference/model/states/strategy_state.hpp"

namespace hallmark::model {
namespace {

using base::second_ns;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr std::int64_t document_time = 1'761'884'055'342'794'596;
constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t least = std::numeric_limits<std::int64_t>::min();

Decision decided(const Strategy& strategy, std::optional<std::string_view> state,
                 std::int64_t now) {
  auto decision = decide(strategy, state, now);
  EXPECT_TRUE(decision.has_value());
  return decision ? *decision : Decision{};
}

std::string error_of(const Strategy& strategy, std::string_view state) {
  const auto decision = decide(strategy, state, document_time);
  return decision ? "no error" : decision.error().field + " " + decision.error().reason;
}

TEST(TokenBucketStrategy, StartsFullAndTakesWholeTokens) {
  const Decision first = decided(TokenBucket{10, 2}, std::nullopt, document_time);
  EXPECT_TRUE(first.allowed);
  EXPECT_EQ(first.state, "12|9|1761884055342794596");
  EXPECT_EQ(first.results[0].quota, "default");
  EXPECT_EQ(first.results[0].remaining, 9);
  EXPECT_EQ(first.expires_in, 25 * second_ns);
}

TEST(TokenBucketStrategy, RefillsAtItsRateUpToTheBurst) {
  const std::string one = "12|0.5|1761884055342794596";
  EXPECT_EQ(decided(TokenBucket{10, 2}, one, document_time + second_ns / 4).state,
            "12|0|1761884055592794596");
  EXPECT_EQ(decided(TokenBucket{10, 2}, one, document_time + 3600 * second_ns).state,
            "12|9|1761887655342794596");
}

TEST(TokenBucketStrategy, DeniesAndSaysWhenATokenWillBeThere) {
  const Decision denied = decided(TokenBucket{10, 2}, "12|0.5|1761884055342794596", document_time);
  EXPECT_FALSE(denied.allowed);
  EXPECT_FALSE(denied.state.has_value());
  EXPECT_EQ(denied.results[0].remaining, 0);
  EXPECT_EQ(denied.results[0].reset, document_time + second_ns / 4);
}

TEST(LeakyBucketStrategy, FillsUpToItsCapacity) {
  const LeakyBucket bucket{3, 1};
  EXPECT_EQ(decided(bucket, std::nullopt, document_time).state, "32|1|1761884055342794596");
  const Decision last = decided(bucket, "32|2|1761884055342794596", document_time);
  EXPECT_EQ(last.state, "32|3|1761884055342794596");
  EXPECT_EQ(last.results[0].remaining, 0);
  const Decision denied = decided(bucket, "32|2.5|1761884055342794596", document_time);
  EXPECT_FALSE(denied.allowed);
  EXPECT_EQ(denied.results[0].remaining, 1);
  EXPECT_EQ(denied.results[0].reset, document_time + second_ns / 2);
}

TEST(LeakyBucketStrategy, LeaksToEmptyAndNoFurther) {
  EXPECT_EQ(
      decided(LeakyBucket{3, 1}, "32|2|1761884055342794596", document_time + second_ns / 2).state,
      "32|2.5|1761884055842794596");
  EXPECT_EQ(
      decided(LeakyBucket{3, 1}, "32|2|1761884055342794596", document_time + 60 * second_ns).state,
      "32|1|1761884115342794596");
}

TEST(GcraStrategy, LetsABurstThroughAndThenOneAnInterval) {
  const Gcra gcra{3, 10};
  std::optional<std::string> state;
  for (int i = 1; i <= 3; ++i) {
    const Decision decision = decided(gcra, state, document_time);
    ASSERT_TRUE(decision.allowed) << i;
    EXPECT_EQ(decision.results[0].remaining, 3 - i);
    state = decision.state;
  }
  EXPECT_EQ(state, "42|1761884055642794596");
  const Decision denied = decided(gcra, state, document_time);
  EXPECT_FALSE(denied.allowed);
  EXPECT_EQ(denied.results[0].reset, document_time + second_ns / 10);
  EXPECT_FALSE(decided(gcra, state, denied.results[0].reset - 1).allowed);
  EXPECT_TRUE(decided(gcra, state, denied.results[0].reset).allowed);
}

TEST(GcraStrategy, TakesWholeNanoseconds) {
  EXPECT_EQ(decided(Gcra{1, 3}, std::nullopt, document_time).state, "42|1761884055676127929");
}

TEST(FixedWindowStrategy, CountsInEveryQuotaOrInNone) {
  const FixedWindow fixed{{{"second", 2, second_ns}, {"hour", 3, 3600 * second_ns}}};
  std::optional<std::string> state = decided(fixed, std::nullopt, document_time).state;
  EXPECT_EQ(state, "23|2|second|1|1761884055342794596|hour|1|1761884055342794596");
  state = decided(fixed, state, document_time + 1).state;
  EXPECT_EQ(state, "23|2|second|2|1761884055342794596|hour|2|1761884055342794596");
  const Decision denied = decided(fixed, state, document_time + 2);
  EXPECT_FALSE(denied.allowed);
  EXPECT_FALSE(denied.state.has_value());
  EXPECT_FALSE(denied.results[0].allowed);
  EXPECT_TRUE(denied.results[1].allowed);
  EXPECT_EQ(denied.results[0].reset, document_time + second_ns);
  EXPECT_EQ(denied.results[1].remaining, 1);
  const Decision next = decided(fixed, state, document_time + second_ns);
  EXPECT_EQ(next.state, "23|2|second|1|1761884056342794596|hour|3|1761884055342794596");
  EXPECT_EQ(next.expires_in, 5 * 3599 * second_ns);
}

TEST(FixedWindowStrategy, QuotasThatTheStateLacksStartAndThoseNobodyConfiguredGo) {
  const FixedWindow fixed{{{"b", 5, second_ns}}};
  EXPECT_EQ(decided(fixed, "23|1|a|3|1761884055342794596", document_time + 7).state,
            "23|1|b|1|1761884055342794603");
}

TEST(CompositeStrategy, BothMustAllowAndBothConsume) {
  const Composite both{TokenBucket{10, 1}, FixedWindow{{{"default", 1, second_ns}}}};
  const Decision first = decided(both, std::nullopt, document_time);
  EXPECT_EQ(first.state, "51|12|9|1761884055342794596$23|1|default|1|1761884055342794596");
  EXPECT_THAT(first.results.size(), 2U);
  const Decision denied = decided(both, first.state, document_time);
  EXPECT_FALSE(denied.allowed);
  EXPECT_FALSE(denied.state.has_value());
  // The one that would have allowed has lost nothing.
  EXPECT_TRUE(denied.results[0].allowed);
  EXPECT_EQ(denied.results[0].remaining, 9);
  EXPECT_FALSE(denied.results[1].allowed);
}

TEST(OldStates, AreReadAndWrittenInTheCurrentFormat) {
  EXPECT_EQ(decided(TokenBucket{10, 1}, "v1|5|1761884055342794596|10|1", document_time).state,
            "12|4|1761884055342794596");
  EXPECT_EQ(decided(TokenBucket{10, 1}, "v2|5|1761884055342794596|", document_time).state,
            "12|4|1761884055342794596");
  EXPECT_EQ(decided(LeakyBucket{10, 1}, "v1|5|1761884055342794596|10|1", document_time).state,
            "32|6|1761884055342794596");
  EXPECT_EQ(decided(Gcra{10, 1}, "v2|1761884055342794596|", document_time).state,
            "42|1761884056342794596");
  EXPECT_EQ(
      decided(FixedWindow{{{"q", 9, second_ns}}}, "v2|5|1761884055342794596|", document_time).state,
      "23|1|q|6|1761884055342794596");
  const Composite both{FixedWindow{{{"q", 9, second_ns}}}, TokenBucket{9, 1}};
  EXPECT_EQ(decided(both, "cmp1|v2|5|1761884055342794596|$v2|5|1761884055342794596|", document_time)
                .state,
            "51|23|1|q|6|1761884055342794596$12|4|1761884055342794596");
  EXPECT_THAT(error_of(FixedWindow{{{"a", 9, second_ns}, {"b", 9, second_ns}}}, "v2|5|17|"),
              HasSubstr("names no quota"));
}

TEST(States, OfAnotherStrategyOrNoneAreRefused) {
  EXPECT_THAT(error_of(TokenBucket{}, "32|1|1"), HasSubstr("starts no token-bucket"));
  EXPECT_THAT(error_of(LeakyBucket{}, "12|1|1"), HasSubstr("starts no leaky-bucket"));
  EXPECT_THAT(error_of(Gcra{}, ""), HasSubstr("empty"));
  EXPECT_THAT(error_of(FixedWindow{{{"q", 1, 1}}}, "42|1"), HasSubstr("starts no fixed-window"));
  EXPECT_THAT(error_of(Composite{TokenBucket{}, Gcra{}}, "51|42|1$12|1|1"),
              HasSubstr("starts no token-bucket"));
}

TEST(Configurations, AreCheckedWithOneLine) {
  const auto wrong = [](const Strategy& strategy) {
    const auto result = valid(strategy);
    return result ? std::string() : result.error().message;
  };
  EXPECT_EQ(wrong(TokenBucket{10, 1}), "");
  EXPECT_THAT(wrong(TokenBucket{0.5, 1}), HasSubstr("burst 0.5; expected"));
  EXPECT_THAT(wrong(TokenBucket{10, 0}), HasSubstr("rate 0; expected"));
  EXPECT_THAT(wrong(TokenBucket{10, std::nan("")}), HasSubstr("rate nan"));
  EXPECT_THAT(wrong(LeakyBucket{0, 1}), HasSubstr("capacity 0"));
  EXPECT_THAT(wrong(Gcra{1, 2e9}), HasSubstr("at most 1e9"));
  EXPECT_THAT(wrong(FixedWindow{}), HasSubstr("0 quotas"));
  EXPECT_THAT(wrong(FixedWindow{{{"a|b", 1, 1}}}), HasSubstr("'a|b'"));
  EXPECT_THAT(wrong(FixedWindow{{{"a", 1, 1}, {"a", 2, 2}}}), HasSubstr("two quotas"));
  EXPECT_THAT(wrong(FixedWindow{{{"a", 1, 0}}}), HasSubstr("window 0 ns"));
  EXPECT_THAT(wrong(Composite{TokenBucket{}, Gcra{0, 1}}), HasSubstr("secondary: burst 0"));
}

/// Whatever stands in a store and whatever the clock shows, a decision is made or refused.
TEST(Extremes, NeitherOverflowNorWriteWhatCannotBeRead) {
  const std::int64_t times[] = {least, -1, 0, 1, document_time, most - 1, most};
  const std::string numbers[] = {"-1e308", "-3.5", "-0", "0", "0.999", "1e308", "5e-324"};
  const Strategy strategies[] = {TokenBucket{10, 1e300},
                                 TokenBucket{1e300, 1e-300},
                                 LeakyBucket{10, 1e300},
                                 LeakyBucket{1e300, 1e-300},
                                 Gcra{1e300, 1e-300},
                                 Gcra{1, 1e9},
                                 FixedWindow{{{"q", most, most}, {"r", 0, 1}}}};
  std::size_t decisions = 0;
  for (const Strategy& strategy : strategies) {
    for (const std::int64_t then : times) {
      for (const std::int64_t now : times) {
        for (const std::string& number : numbers) {
          const std::string states[] = {
              "12|" + number + "|" + std::to_string(then),
              "32|" + number + "|" + std::to_string(then), "42|" + std::to_string(then),
              "23|2|q|" + std::to_string(then) + "|" + std::to_string(then) + "|r|0|0"};
          for (const std::string& state : states) {
            const auto decision = decide(strategy, state, now);
            if (!decision) continue;
            ++decisions;
            for (const QuotaResult& result : decision->results) EXPECT_GE(result.remaining, 0);
            EXPECT_GT(decision->expires_in, 0);
            const std::string_view written = decision->state ? *decision->state : state;
            EXPECT_TRUE(decide(strategy, written, now).has_value()) << written;
          }
        }
      }
    }
  }
  EXPECT_GT(decisions, 2000U);
}

/// Over a thousand seeds of arrivals, no window of any length admits more than the bound of its
/// strategy.
TEST(Bounds, HoldOverAnyWindow) {
  std::mt19937_64 random(11);
  for (int seed = 0; seed < 1000; ++seed) {
    const double burst = 1 + static_cast<double>(random() % 5);
    const double rate = 0.5 + static_cast<double>(random() % 8);
    const Strategy strategies[] = {TokenBucket{burst, rate}, LeakyBucket{burst, rate},
                                   Gcra{burst, rate}};
    for (const Strategy& strategy : strategies) {
      std::vector<std::int64_t> admitted;
      std::optional<std::string> state;
      std::int64_t now = document_time;
      for (int i = 0; i < 60; ++i) {
        now += static_cast<std::int64_t>(random() % (second_ns / 2));
        const Decision decision = decided(strategy, state, now);
        if (!decision.allowed) continue;
        state = decision.state;
        admitted.push_back(now);
      }
      for (std::size_t from = 0; from < admitted.size(); ++from) {
        for (std::size_t to = from; to < admitted.size(); ++to) {
          const double seconds =
              static_cast<double>(admitted[to] - admitted[from]) / static_cast<double>(second_ns);
          EXPECT_LE(static_cast<double>(to - from + 1), burst + rate * seconds + 1e-6);
        }
      }
    }
  }
}

}  // namespace
}  // namespace hallmark::model
