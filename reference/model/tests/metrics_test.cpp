#include "reference/model/records/metrics.hpp"

#include <gtest/gtest.h>

namespace hallmark::model {
namespace {

struct MeterCase {
  const char* name;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> added;  // minute, amount
  std::uint64_t minute;
  std::uint64_t total, settled, per_minute;
};

class MeterAt : public testing::TestWithParam<MeterCase> {};

TEST_P(MeterAt, Shows) {
  Meter meter;
  for (const auto& [minute, amount] : GetParam().added) meter.add(amount, minute);
  EXPECT_EQ(meter.total(), GetParam().total);
  EXPECT_EQ(meter.settled(GetParam().minute), GetParam().settled);
  EXPECT_EQ(meter.per_minute(GetParam().minute), GetParam().per_minute);
}

INSTANTIATE_TEST_SUITE_P(
    Table, MeterAt,
    testing::Values(MeterCase{"nothing", {}, 3, 0, 0, 0},
                    MeterCase{"this_minute_is_not_settled", {{0, 2}, {0, 3}}, 0, 5, 0, 0},
                    MeterCase{"the_next_minute_settles_it", {{0, 2}, {0, 3}}, 1, 5, 5, 5},
                    MeterCase{"two_minutes_later_the_rate_is_zero", {{0, 5}}, 2, 5, 5, 0},
                    MeterCase{"added_after_the_tick", {{0, 5}, {1, 1}}, 1, 6, 5, 5},
                    MeterCase{"then_settled", {{0, 5}, {1, 1}}, 2, 6, 6, 1},
                    MeterCase{"an_idle_minute_between", {{0, 5}, {2, 1}}, 2, 6, 5, 0},
                    MeterCase{"first_used_late", {{9, 4}}, 9, 4, 0, 0},
                    MeterCase{"first_used_late_then_settled", {{9, 4}}, 10, 4, 4, 4}),
    [](const auto& row) { return std::string(row.param.name); });

}  // namespace
}  // namespace hallmark::model
