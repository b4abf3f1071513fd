#include "base/quantity.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hallmark::base {
namespace {

using std::chrono::nanoseconds;

struct DurationRow {
  const char* text;
  std::int64_t ns;
};

TEST(ParseDuration, UnitsAndFractions) {
  for (const auto& [text, ns] : {DurationRow{"0s", 0},
                                 {"5ns", 5},
                                 {"250us", 250'000},
                                 {"500ms", 500'000'000},
                                 {"10s", 10'000'000'000},
                                 {"1.5m", 90'000'000'000},
                                 {"24h", 86'400'000'000'000}}) {
    const auto duration = parse_duration(text);
    ASSERT_TRUE(duration) << text;
    EXPECT_EQ(duration->count(), ns) << text;
  }
}

TEST(ParseDuration, AnythingElseIsRefusedWithWhatIsAllowed) {
  for (const auto* text :
       {"", "10", "s", "10 s", "-1s", "1x", "1ss", "25h", "nan", "nans", "inf", "infs", "1e3s"}) {
    const auto duration = parse_duration(text);
    ASSERT_FALSE(duration) << text;
    EXPECT_EQ(duration.error().message,
              "duration '" + std::string(text) +
                  "'; allowed: a number with ns, us, ms, s, m or h, from 0 to 24h");
  }
}

TEST(ParseShare, PercentAndShareAreTheSame) {
  EXPECT_EQ(*parse_share("2%"), 0.02);
  EXPECT_EQ(*parse_share("7%"), 0.07);
  EXPECT_EQ(*parse_share("0.02"), 0.02);
  EXPECT_EQ(*parse_share("0.5%"), 0.005);
  EXPECT_EQ(*parse_share("0"), 0);
  EXPECT_EQ(*parse_share("0%"), 0);
  EXPECT_EQ(*parse_share("1"), 1);
  EXPECT_EQ(*parse_share("100%"), 1);
}

TEST(ParseShare, AnythingElseIsRefusedWithWhatCameAndWhatIsAllowed) {
  for (const char* const text : {"", "%", "2", "101%", "-1%", "-0.1", "1.1", "2 %", " 2%", "2%%",
                                 "two", "nan", "inf", "1e-2", "0.1x", "2pct", "0,1"}) {
    const auto share = parse_share(text);
    ASSERT_FALSE(share) << text;
    EXPECT_EQ(share.error().message,
              "'" + std::string(text) + "'; allowed: 0% to 100%, or a share from 0 to 1");
  }
}

TEST(Quantity, IsANumberWithAUnit) {
  EXPECT_EQ(quantity_in("20k", count_units)->value(), 20'000);
  EXPECT_EQ(quantity_in("1.5M", count_units)->value(), 1'500'000);
  EXPECT_EQ(quantity_in("1e3", count_units)->value(), 1'000);
  EXPECT_EQ(quantity_in("2ms", duration_units)->value(), 2e6);
  EXPECT_EQ(quantity_in("-3k", count_units)->number, -3);
  for (const auto* const text : {"", "k", "5x", "5 k", "5kk", "k5", "5K"})
    EXPECT_FALSE(quantity_in(text, count_units)) << text;
  EXPECT_FALSE(quantity_in("2", duration_units));
  EXPECT_FALSE(quantity_in("1e3", count_units, Notation::fixed));
}

TEST(HumanDuration, HasThreeDigits) {
  for (const auto& [text, ns] : {DurationRow{"0 ns", 0},
                                 {"999 ns", 999},
                                 {"1.00 µs", 1000},
                                 {"9.99 µs", 9994},
                                 {"10.0 µs", 9996},
                                 {"100 µs", 99'960},
                                 {"999 µs", 999'499},
                                 {"1.00 ms", 999'500},
                                 {"1.23 s", 1'234'000'000},
                                 {"3600 s", 3'600'000'000'000},
                                 {"-12.3 µs", -12'300}})
    EXPECT_EQ(human_duration(nanoseconds(ns)), text);
}

TEST(HumanDuration, RoundsHalvesUp) {
  for (const auto& [text, ns] : {DurationRow{"1.13 µs", 1125},
                                 {"1.24 ms", 1'235'000},
                                 {"12.3 µs", 12'250},
                                 {"12.3 µs", 12'349},
                                 {"12.4 µs", 12'350},
                                 {"100 µs", 99'950},
                                 {"101 ms", 100'500'000},
                                 {"1.05 s", 1'045'000'000}})
    EXPECT_EQ(human_duration(nanoseconds(ns)), text);
}

TEST(HumanBytes, HaveThreeDigits) {
  EXPECT_EQ(human_bytes(0), "0 B");
  EXPECT_EQ(human_bytes(999), "999 B");
  EXPECT_EQ(human_bytes(12'345), "12.3 kB");
  EXPECT_EQ(human_bytes(999'500), "1.00 MB");
  EXPECT_EQ(human_bytes(14'200'000), "14.2 MB");
  EXPECT_EQ(human_bytes(7'000'000'000'000), "7000 GB");
}

TEST(ExactDuration, IsReadBack) {
  for (const auto& [text, ns] : {DurationRow{"0s", 0},
                                 {"90s", 90'000'000'000},
                                 {"1500ms", 1'500'000'000},
                                 {"0.5us", 500},
                                 {"1000001us", 1'000'001'000}}) {
    EXPECT_EQ(exact_duration(nanoseconds(ns)), text);
    EXPECT_EQ(parse_duration(text)->count(), ns);
  }
}

struct CountRow {
  const char* text;
  double count;
};

TEST(HumanCount, IsReadBack) {
  for (const auto& [text, count] : {CountRow{"0", 0},
                                    {"2.5k", 2500},
                                    {"2555", 2555},
                                    {"0.5", 0.5},
                                    {"50k", 50'000},
                                    {"1.5M", 1'500'000},
                                    {"1550k", 1'550'000},
                                    {"128.2k", 128'200},
                                    {"16662.4k", 16'662'400}}) {
    EXPECT_EQ(human_count(count), text);
    EXPECT_EQ(quantity_in(text, count_units)->value(), count);
  }
}

TEST(Percent, HasOneDecimal) { EXPECT_EQ(percent(0.1256), "12.6 %"); }
TEST(Percent, RoundsHalvesUp) {
  EXPECT_EQ(percent(0.0625), "6.3 %");
  EXPECT_EQ(percent(0.0615), "6.2 %");
}

}  // namespace
}  // namespace hallmark::base
