#include "loadgen/workload/value_sizes.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <map>

namespace hallmark::loadgen {
namespace {

using testing::HasSubstr;

std::map<std::uint64_t, double> size_shares(std::string_view text, std::uint32_t keys = 50'000) {
  const auto sizes = ValueSizes::parse(text).value();
  std::map<std::uint64_t, double> seen;
  for (std::uint32_t key = 0; key < keys; ++key)
    seen[sizes.bytes_of(sizes.class_of(key, 1))] += 1.0 / keys;
  return seen;
}

TEST(ValueSizes, OneSizeIsThatOfAll) {
  EXPECT_EQ(size_shares("64").size(), 1U);
  EXPECT_EQ(size_shares("64").begin()->first, 64U);
  EXPECT_EQ(ValueSizes().bytes_of(0), 64U);
}

TEST(ValueSizes, ARangeIsUniform) {
  const auto few = size_shares("10..13");
  ASSERT_EQ(few.size(), 4U);
  for (const auto& [bytes, share] : few) EXPECT_NEAR(share, 0.25, 0.01) << bytes;
  const auto many = size_shares("16..1040");
  EXPECT_EQ(many.size(), ValueSizes::most_classes);
  double mean = 0;
  for (const auto& [bytes, share] : many) mean += static_cast<double>(bytes) * share;
  EXPECT_NEAR(mean, 528, 8);
  EXPECT_GE(many.begin()->first, 16U);
  EXPECT_LE(many.rbegin()->first, 1040U);
}

TEST(ValueSizes, WeightsAreKept) {
  const auto seen = size_shares("64=90,4096=10,7=0");
  ASSERT_EQ(seen.size(), 2U);
  EXPECT_NEAR(seen.at(64), 0.9, 0.01);
  EXPECT_NEAR(seen.at(4096), 0.1, 0.01);
}

TEST(ValueSizes, ALognormalHasItsMedianAndItsTail) {
  const auto seen = size_shares("lognormal:256,1.5");
  double below = 0;
  double above = 0;
  for (const auto& [bytes, share] : seen) {
    below += bytes <= 256 ? share : 0;
    above += static_cast<double>(bytes) > 256 * std::exp(1.5) ? share : 0;
  }
  EXPECT_NEAR(below, 0.5, 0.02);
  EXPECT_NEAR(above, 0.1587, 0.02);  // of a normal distribution, above one standard deviation
}

TEST(ValueSizes, AKeyKeepsItsSize) {
  const auto sizes = ValueSizes::parse("16..1024").value();
  for (std::uint32_t key = 0; key < 100; ++key)
    EXPECT_EQ(sizes.class_of(key, 7), sizes.class_of(key, 7));
  int moved = 0;
  for (std::uint32_t key = 0; key < 100; ++key)
    moved += sizes.class_of(key, 7) != sizes.class_of(key, 8) ? 1 : 0;
  EXPECT_GT(moved, 80);
}

TEST(ValueSizes, WhatIsNoneIsRefusedInOneLine) {
  for (const auto* text :
       {"", "x", "-1", "1.5", "99999999999", "5..4", "5..", "..5", "64=", "64=x", "64=0", "64=1,",
        "lognormal:", "lognormal:256", "lognormal:0,1", "lognormal:256,9"}) {
    const auto sizes = ValueSizes::parse(text);
    ASSERT_FALSE(sizes) << text;
    EXPECT_THAT(sizes.error().message, HasSubstr("allowed: bytes up to 33554432"));
  }
}

}  // namespace
}  // namespace hallmark::loadgen
