#include "proxy/rate.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hallmark::proxy {
namespace {

TEST(Rate, percent_and_share_are_the_same) {
  EXPECT_DOUBLE_EQ(*parse_rate("2%"), 0.02);
  EXPECT_DOUBLE_EQ(*parse_rate("0.02"), 0.02);
  EXPECT_DOUBLE_EQ(*parse_rate("0.5%"), 0.005);
  EXPECT_EQ(*parse_rate("0"), 0);
  EXPECT_EQ(*parse_rate("0%"), 0);
  EXPECT_EQ(*parse_rate("1"), 1);
  EXPECT_EQ(*parse_rate("100%"), 1);
}

TEST(Rate, anything_else_is_refused_with_what_came_and_what_is_allowed) {
  for (const char* const text : {"", "%", "2", "101%", "-1%", "-0.1", "1.1", "2 %", " 2%", "2%%",
                                 "two", "nan", "inf", "1e-2", "0.1x", "2pct", "0,1"}) {
    const auto rate = parse_rate(text);
    ASSERT_FALSE(rate) << text;
    EXPECT_EQ(rate.error().message,
              "'" + std::string(text) + "'; allowed: 0% to 100%, or a share from 0 to 1");
  }
}

}  // namespace
}  // namespace hallmark::proxy
