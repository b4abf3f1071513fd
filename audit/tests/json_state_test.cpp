#include "audit/json_state.hpp"

#include <gtest/gtest.h>

#include <string>

namespace hallmark::audit {
namespace {

TEST(JsonState, NamesItsStrategyByItsMembers) {
  EXPECT_EQ(strategy_of_json("{\"Tokens\":8.5,\"LastRefill\":\"2025-10-31T04:14:15Z\"}"),
            "token-bucket");
  EXPECT_EQ(strategy_of_json("{\"tokens\":1,\"last_refill\":0,\"capacity\":5}"), "token-bucket");
  EXPECT_EQ(strategy_of_json("{\"COUNT\":1,\"start\":\"x\"}"), "fixed-window");
  EXPECT_EQ(strategy_of_json("{\"lastLeak\":1,\"requests\":2}"), "leaky-bucket");
  EXPECT_EQ(strategy_of_json("{\"TAT\":1}"), "gcra");
}

TEST(JsonState, OtherTextsAreNone) {
  for (const std::string& text :
       {std::string(), std::string("{"), std::string("[1]"), std::string("{\"tokens\":1}"),
        std::string("{\"a\":{\"TAT\":1}}"), std::string("12|1|2"),
        "{\"TAT\":\"" + std::string(5000, 'x') + "\"}"})
    EXPECT_EQ(strategy_of_json(text), "") << text.substr(0, 40);
}

}  // namespace
}  // namespace hallmark::audit
