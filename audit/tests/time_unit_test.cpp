#include "audit/time_unit.hpp"

#include <gmock/gmock.h>

#include <limits>

namespace hallmark::audit {
namespace {

struct Row {
  std::int64_t number;
  std::string_view unit;  ///< empty: nothing is claimed
  std::int64_t nanoseconds = 0;
};

TEST(OtherUnit, IsToldByTheSizeOfATimeOfOurDays) {
  constexpr Row rows[] = {
      {1'761'884'055, "seconds", 1'761'884'055'000'000'000},
      {1'761'884'055'342, "milliseconds", 1'761'884'055'342'000'000},
      {1'761'884'055'342'794, "microseconds", 1'761'884'055'342'794'000},
      {1'761'884'055'342'794'596, ""},
      {1'000'000'000, "seconds", first_plausible_time},
      {999'999'999, ""},
      {9'223'372'036, "seconds", 9'223'372'036'000'000'000},
      {9'223'372'037, ""},
      {999'999'999'999, ""},
      {9'223'372'036'854'775, "microseconds", 9'223'372'036'854'775'000},
      {0, ""},
      {17, ""},
      {-1'761'884'055, ""},
      {std::numeric_limits<std::int64_t>::min(), ""},
      {std::numeric_limits<std::int64_t>::max(), ""},
  };
  for (const Row& row : rows) {
    const auto other = other_unit_of(row.number);
    EXPECT_EQ(other ? other->name : "", row.unit) << row.number;
    EXPECT_EQ(other ? other->nanoseconds : 0, row.nanoseconds) << row.number;
  }
}

TEST(DateOf, IsInUtcAtBothEndsOfTime) {
  EXPECT_EQ(date_of(1'761'884'055'342'794'596), "2025-10-31T04:14:15.342Z");
  EXPECT_EQ(date_of(0), "1970-01-01T00:00:00.000Z");
  EXPECT_EQ(date_of(-1), "1969-12-31T23:59:59.999Z");
  EXPECT_EQ(date_of(std::numeric_limits<std::int64_t>::max()), "2262-04-11T23:47:16.854Z");
  EXPECT_EQ(date_of(std::numeric_limits<std::int64_t>::min()), "1677-09-21T00:12:43.145Z");
}

}  // namespace
}  // namespace hallmark::audit
