#include "cli/load/store_load.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

namespace hallmark::cli {
namespace {

using testing::HasSubstr;

struct Row {
  const char* name;
  StrategyArguments kept;    ///< keeps to its bounds
  StrategyArguments larger;  ///< admits a little more
};
void PrintTo(const Row& row, std::ostream* out) { *out << row.name; }

/// Asks a limiter 20,000 times at random times. Returns the number of its admissions that exceed
/// the bounds.
std::size_t exceeded(const StrategyArguments& limiter, const StrategyArguments& bounds) {
  const auto deciding = limiter_of(read_strategy(limiter).value());
  oracle::AdmissionBounds watch(bounds_of(read_strategy(bounds).value()), 1);
  std::mt19937_64 random(7);
  std::int64_t now = 1'761'884'055'342'794'596;
  std::optional<std::string> state;
  std::size_t found = 0;
  for (int i = 0; i < 20'000; ++i) {
    // Mostly faster than the limits, and at times a pause in which they recover.
    now += static_cast<std::int64_t>(random() % (i % 500 == 0 ? 20'000'000'000 : 100'000'000));
    auto decision = deciding->decide(state, now).value();
    if (decision.state) state = std::move(decision.state);
    if (decision.allowed && watch.admitted(0, now)) ++found;
  }
  return found;
}

class StrategyBounds : public testing::TestWithParam<Row> {};

TEST_P(StrategyBounds, HoldForTheStrategyAndNotForALargerOne) {
  EXPECT_EQ(exceeded(GetParam().kept, GetParam().kept), 0U);
  EXPECT_GT(exceeded(GetParam().larger, GetParam().kept), 0U);
}

INSTANTIATE_TEST_SUITE_P(Rows, StrategyBounds,
                         testing::Values(Row{"TokenBucketBurst",
                                             {"token-bucket:burst=10,rate=5", "", ""},
                                             {"token-bucket:burst=11,rate=5", "", ""}},
                                         Row{"TokenBucketRate",
                                             {"token-bucket:burst=10,rate=5", "", ""},
                                             {"token-bucket:burst=10,rate=5.1", "", ""}},
                                         Row{"LeakyBucket",
                                             {"leaky-bucket:capacity=4,rate=3", "", ""},
                                             {"leaky-bucket:capacity=5,rate=3", "", ""}},
                                         Row{"GcraWithAnIntervalThatIsNotWhole",
                                             {"gcra:burst=7,rate=3", "", ""},
                                             {"gcra:burst=7,rate=3.1", "", ""}},
                                         Row{"FixedWindow",
                                             {"fixed-window:default=9/1s,long=50/10s", "", ""},
                                             {"fixed-window:default=9/1s,long=51/10s", "", ""}},
                                         Row{"Composite",
                                             {"composite", "fixed-window:default=20/3s",
                                              "token-bucket:burst=8,rate=5"},
                                             {"composite", "fixed-window:default=20/3s",
                                              "token-bucket:burst=9,rate=5"}}),
                         [](const auto& row) { return std::string(row.param.name); });

TEST(StoreLimiter, SaysWhereAStateIsMalformed) {
  const auto limiter = limiter_of(read_strategy({"token-bucket:burst=1,rate=1", "", ""}).value());
  const auto decided = limiter->decide("12|x|1", 5);
  ASSERT_FALSE(decided);
  EXPECT_THAT(decided.error().message, HasSubstr("tokens at offset 3"));
}

TEST(StoreLimiter, ExpiresNoEarlierThanTheStrategySays) {
  const auto limiter = limiter_of(read_strategy({"token-bucket:burst=10,rate=3", "", ""}).value());
  EXPECT_EQ(limiter->decide({}, 5)->expires_in, std::chrono::milliseconds(16'667));
}

TEST(StoreOptions, WhatIsMissingIsSaid) {
  const auto refusal = [](const std::string& target, const StoreArguments& arguments) {
    const auto options = read_store_options(target, arguments, std::chrono::seconds(1));
    return options ? "" : options.error().message;
  };
  EXPECT_THAT(refusal("redis://h", {}), HasSubstr("needs --strategy"));
  EXPECT_THAT(refusal("redis://h:x", {}), HasSubstr("the port is not"));
  EXPECT_EQ(refusal("redis://h", {.strategy = {"gcra:burst=1,rate=1", "", ""}}), "");
}

}  // namespace
}  // namespace hallmark::cli
