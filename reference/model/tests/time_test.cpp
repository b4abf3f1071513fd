#include "reference/model/time.hpp"

#include <gtest/gtest.h>

namespace hallmark::model {
namespace {

constexpr std::uint64_t widest = std::numeric_limits<std::uint64_t>::max();

TEST(Time, HoldsNowPlusTheLongestTtlExactly) {
  const Time now = 1'800'000'000'000'000'001;
  const Time end = now + span_of(TtlUnit::hours, widest);
  EXPECT_TRUE((end - now) / static_cast<Time>(length_of(TtlUnit::hours)) ==
              static_cast<Time>(widest));
  EXPECT_TRUE((end - now) % static_cast<Time>(length_of(TtlUnit::hours)) == 0);
}

TEST(Time, SaturatesOnTheWire) {
  EXPECT_EQ(to_wire(Time{-1}), 0U);
  EXPECT_EQ(to_wire(Time{0}), 0U);
  EXPECT_EQ(to_wire(static_cast<Time>(widest)), widest);
  EXPECT_EQ(to_wire(static_cast<Time>(widest) + 1), widest);
}

TEST(Time, KnowsSixUnits) {
  EXPECT_FALSE(is_known(static_cast<TtlUnit>(0)));
  for (std::uint8_t code = 1; code <= 6; ++code) EXPECT_TRUE(is_known(static_cast<TtlUnit>(code)));
  EXPECT_FALSE(is_known(static_cast<TtlUnit>(7)));
}

struct WholeUnitsCase {
  const char* name;
  TtlUnit unit;
  Time left;
  std::uint64_t units;
};

class WholeUnits : public testing::TestWithParam<WholeUnitsCase> {};

TEST_P(WholeUnits, RoundsDown) {
  EXPECT_EQ(whole_units(GetParam().left, GetParam().unit), GetParam().units);
}

INSTANTIATE_TEST_SUITE_P(
    Table, WholeUnits,
    testing::Values(
        WholeUnitsCase{"nanosecond", TtlUnit::nanoseconds, 1, 1},
        WholeUnitsCase{"just_under_a_microsecond", TtlUnit::microseconds, 999, 0},
        WholeUnitsCase{"a_microsecond", TtlUnit::microseconds, 1'000, 1},
        WholeUnitsCase{"just_under_two_milliseconds", TtlUnit::milliseconds, 1'999'999, 1},
        WholeUnitsCase{"thirty_seconds", TtlUnit::seconds, 30'000'000'000, 30},
        WholeUnitsCase{"just_under_thirty_seconds", TtlUnit::seconds, 29'999'999'999, 29},
        WholeUnitsCase{"just_under_a_minute", TtlUnit::minutes, 59'999'999'999, 0},
        WholeUnitsCase{"just_under_an_hour", TtlUnit::hours, 3'599'999'999'999, 0},
        WholeUnitsCase{"beyond_64_bits", TtlUnit::hours, span_of(TtlUnit::hours, widest) - 1,
                       widest - 1}),
    [](const auto& row) { return std::string(row.param.name); });

TEST(MinuteClock, CountsFullMinutesSinceTheStart) {
  constexpr Time start = 7'000'000'000;
  constexpr Time minute = 60'000'000'000;
  MinuteClock clock(start);
  EXPECT_EQ(clock.moment().minute, 0U);
  EXPECT_EQ(clock.advance(start + minute - 1).minute, 0U);
  EXPECT_EQ(clock.advance(start + minute).minute, 1U);
  EXPECT_EQ(clock.advance(start + 10 * minute + 5).minute, 10U);
  EXPECT_TRUE(clock.moment().now == start + 10 * minute + 5);
}

TEST(MinuteClock, DoesNotGoBack) {
  MinuteClock clock(100);
  clock.advance(200);
  EXPECT_TRUE(clock.advance(150).now == 200);
}

}  // namespace
}  // namespace hallmark::model
