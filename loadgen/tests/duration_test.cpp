#include "loadgen/duration.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hallmark::loadgen {
namespace {

struct Row {
  std::string text;
  std::int64_t nanoseconds;
};

TEST(Duration, units_and_fractions) {
  for (const Row& row : std::vector<Row>{{"0s", 0},
                                         {"5ns", 5},
                                         {"250us", 250'000},
                                         {"500ms", 500'000'000},
                                         {"10s", 10'000'000'000},
                                         {"1.5m", 90'000'000'000},
                                         {"24h", 86'400'000'000'000}}) {
    const auto duration = parse_duration(row.text);
    ASSERT_TRUE(duration) << row.text;
    EXPECT_EQ(duration->count(), row.nanoseconds) << row.text;
  }
}

TEST(Duration, anything_else_is_refused_with_what_is_allowed) {
  for (const auto* text :
       {"", "10", "s", "10 s", "-1s", "1x", "1ss", "25h", "nan", "inf", "1e3s"}) {
    const auto duration = parse_duration(text);
    ASSERT_FALSE(duration) << text;
    EXPECT_THAT(duration.error().message, testing::HasSubstr("allowed: a number with ns")) << text;
  }
}

}  // namespace
}  // namespace hallmark::loadgen
