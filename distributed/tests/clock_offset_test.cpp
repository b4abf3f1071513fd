#include "distributed/clock_offset.hpp"

#include <gtest/gtest.h>

namespace hallmark::distributed {
namespace {

TEST(ClockComparison, TheShortestRoundTripCounts) {
  ClockComparison comparison;
  EXPECT_FALSE(comparison.best());
  comparison.add(1'000, 5'400, 2'000);
  EXPECT_EQ(comparison.best(), (ClockOffset{3'900, 500}));
  comparison.add(3'000, 7'050, 3'100);
  EXPECT_EQ(comparison.best(), (ClockOffset{4'000, 50}));
  comparison.add(4'000, 9'999, 6'000);
  EXPECT_EQ(comparison.best(), (ClockOffset{4'000, 50}));
}

TEST(ClockComparison, TheTrueOffsetIsWithinTheBound) {
  constexpr std::int64_t offset = -123'456;
  // The way there and the way back take any share of the round trip.
  for (const std::int64_t there : {0, 1, 50, 99, 100}) {
    ClockComparison comparison;
    comparison.add(10'000, 10'000 + there + offset, 10'100);
    const ClockOffset found = *comparison.best();
    EXPECT_GE(offset, found.offset_ns - found.bound_ns) << there;
    EXPECT_LE(offset, found.offset_ns + found.bound_ns) << there;
  }
}

}  // namespace
}  // namespace hallmark::distributed
