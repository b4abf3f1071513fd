#include "cli/load/strategy_option.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hallmark::cli {
namespace {

using testing::HasSubstr;

std::string refusal(const StrategyArguments& arguments) {
  const auto strategy = read_strategy(arguments);
  return strategy ? "" : strategy.error().message;
}

TEST(StrategyOption, each_strategy_with_its_numbers) {
  const auto bucket = std::get<model::TokenBucket>(
      read_strategy({"token-bucket:rate=0.5,burst=10", "", ""}).value());
  EXPECT_EQ(bucket.burst, 10);
  EXPECT_EQ(bucket.rate, 0.5);
  const auto leaky = std::get<model::LeakyBucket>(
      read_strategy({"leaky-bucket:capacity=3,rate=2", "", ""}).value());
  EXPECT_EQ(leaky.capacity, 3);
  const auto gcra = std::get<model::Gcra>(read_strategy({"gcra:burst=3,rate=2", "", ""}).value());
  EXPECT_EQ(gcra.rate, 2);
  const auto fixed = std::get<model::FixedWindow>(
      read_strategy({"fixed-window:default=100/1m,hourly=1000/1h", "", ""}).value());
  ASSERT_EQ(fixed.quotas.size(), 2U);
  EXPECT_EQ(fixed.quotas[0].name, "default");
  EXPECT_EQ(fixed.quotas[0].limit, 100);
  EXPECT_EQ(fixed.quotas[0].window, 60'000'000'000);
  EXPECT_EQ(fixed.quotas[1].name, "hourly");
}

TEST(StrategyOption, a_composite_has_two_parts) {
  const auto composite = std::get<model::Composite>(
      read_strategy({"composite", "fixed-window:default=5/1s", "gcra:burst=2,rate=1"}).value());
  EXPECT_TRUE(std::holds_alternative<model::FixedWindow>(composite.primary));
  EXPECT_TRUE(std::holds_alternative<model::Gcra>(composite.secondary));
}

TEST(StrategyOption, what_is_wrong_is_said) {
  const std::pair<StrategyArguments, const char*> rows[] = {
      {{"bucket", "", ""}, "--strategy 'bucket'; expected token-bucket:burst=10,rate=5"},
      {{"token-bucket", "", ""}, "expected NAME=VALUE"},
      {{"token-bucket:burst=10", "", ""}, "expected burst=NUMBER,rate=NUMBER"},
      {{"token-bucket:burst=x,rate=1", "", ""}, "'burst=x'"},
      {{"token-bucket:burst=1,burst=1", "", ""}, "'burst=1'"},
      {{"leaky-bucket:burst=1,rate=1", "", ""}, "expected capacity=NUMBER,rate=NUMBER"},
      {{"gcra:burst=1,rate=0", "", ""}, "rate 0; expected a finite number above 0"},
      {{"fixed-window:default=10", "", ""}, "such as default=100/1m"},
      {{"fixed-window:default=10/1y", "", ""}, "duration '1y'"},
      {{"fixed-window:a=1/1s,a=1/1s", "", ""}, "two quotas are called a"},
      {{"gcra:burst=1,rate=1", "gcra:burst=1,rate=1", ""}, "are for --strategy composite"},
      {{"composite", "gcra:burst=1,rate=1", ""}, "--secondary ''; expected"},
      {{"composite", "composite", "gcra:burst=1,rate=1"}, "--primary 'composite'"},
  };
  for (const auto& [arguments, message] : rows) {
    EXPECT_THAT(refusal(arguments), HasSubstr(message)) << arguments.strategy;
  }
}

}  // namespace
}  // namespace hallmark::cli
