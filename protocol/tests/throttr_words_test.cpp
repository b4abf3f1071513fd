#include "protocol/throttr_words.hpp"

#include <gtest/gtest.h>

#include "protocol/dialects.hpp"

namespace hallmark::protocol {
namespace {

Record worded_insert(const Dialect& dialect, TtlUnit unit, std::uint64_t ttl) {
  return worded(
      dialect, *find_operation(dialect, "INSERT"),
      {{"quota", 7UL}, {"ttl_type", code(unit)}, {"ttl", ttl}, {"key", base::to_bytes("abcde")}});
}

TEST(Words, StayWhereADialectHasThem) {
  for (const Dialect* dialect : {&throttr_6_0, &throttr_7_1, &throttr_7_3}) {
    EXPECT_EQ(
        worded_insert(*dialect, TtlUnit::hours, 3),
        (Record{
            {"quota", 7UL}, {"ttl_type", 6UL}, {"ttl", 3UL}, {"key", base::to_bytes("abcde")}}));
  }
}

TEST(Words, BecomeAPairAndAnIdIn20) {
  EXPECT_EQ(worded_insert(throttr_2_0, TtlUnit::milliseconds, 9),
            (Record{{"quota", 7UL},
                    {"ttl_type", 1UL},
                    {"ttl", 9UL},
                    {"request_id", 0UL},
                    {"consumer_id", base::to_bytes("ab")},
                    {"resource_id", base::to_bytes("cde")}}));
}

TEST(Words, KeepAGivenRequestId) {
  const Operation& query = *find_operation(throttr_2_0, "QUERY");
  const Record own = worded(throttr_2_0, query, {{"request_id", 5UL}, {"key", base::Bytes{}}});
  EXPECT_EQ(own.number("request_id"), 5U);
}

struct UnitRow {
  const char* name;
  TtlUnit asked;
  TtlUnit unit;
  std::uint64_t code;
  std::uint64_t factor;
};

class UnitsOf20 : public ::testing::TestWithParam<UnitRow> {};

TEST_P(UnitsOf20, AreTheLongestThatDivide) {
  const TtlWording wording = ttl_wording(throttr_2_0, GetParam().asked);
  EXPECT_EQ(wording.unit, GetParam().unit);
  EXPECT_EQ(wording.code, GetParam().code);
  EXPECT_EQ(wording.factor, GetParam().factor);
}

INSTANTIATE_TEST_SUITE_P(
    Words, UnitsOf20,
    ::testing::Values(UnitRow{"nanoseconds", TtlUnit::nanoseconds, TtlUnit::nanoseconds, 0, 1},
                      UnitRow{"microseconds", TtlUnit::microseconds, TtlUnit::nanoseconds, 0,
                              1'000},
                      UnitRow{"milliseconds", TtlUnit::milliseconds, TtlUnit::milliseconds, 1, 1},
                      UnitRow{"seconds", TtlUnit::seconds, TtlUnit::seconds, 2, 1},
                      UnitRow{"minutes", TtlUnit::minutes, TtlUnit::seconds, 2, 60},
                      UnitRow{"hours", TtlUnit::hours, TtlUnit::seconds, 2, 3'600}),
    [](const auto& row) { return row.param.name; });

TEST(Words, SayATtlThatIsTooLongAsTheLongest) {
  EXPECT_EQ(worded_insert(throttr_2_0, TtlUnit::hours, ~0UL).number("ttl"), ~0UL);
}

TEST(Words, LeaveACodeThatIsNoUnit) {
  const Operation& insert = *find_operation(throttr_2_0, "INSERT");
  const Record own =
      worded(throttr_2_0, insert,
             {{"quota", 1UL}, {"ttl_type", 0xeeUL}, {"ttl", 1UL}, {"key", base::Bytes{}}});
  EXPECT_EQ(own.number("ttl_type"), 0xeeU);
}

TEST(Words, KnowTheUnitsOfADialect) {
  EXPECT_EQ(ttl_units(throttr_7_3).size(), 6U);
  EXPECT_EQ(ttl_units(throttr_2_0),
            (std::vector{TtlUnit::nanoseconds, TtlUnit::milliseconds, TtlUnit::seconds}));
  EXPECT_EQ(ttl_unit(throttr_2_0, 2), TtlUnit::seconds);
  EXPECT_EQ(ttl_unit(throttr_2_0, 3), std::nullopt);
  EXPECT_EQ(ttl_unit(throttr_6_0, 2), TtlUnit::microseconds);
}

}  // namespace
}  // namespace hallmark::protocol
