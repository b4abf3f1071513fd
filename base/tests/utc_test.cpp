#include "base/utc.hpp"

#include <gtest/gtest.h>

namespace hallmark::base {
namespace {

using namespace std::chrono;

TEST(IsoUtc, HasMilliseconds) {
  EXPECT_EQ(iso_utc({}), "1970-01-01T00:00:00.000Z");
  EXPECT_EQ(iso_utc(UtcTime(1'714'566'600'250ms)), "2024-05-01T12:30:00.250Z");
}

TEST(IsoUtc, ReachesAllFourDigitYears) {
  EXPECT_EQ(iso_utc(sys_days(year(9999) / 12 / 31) + 86'399'999ms), "9999-12-31T23:59:59.999Z");
}

TEST(ParseUtc, ReadsWhatIsWritten) {
  for (const UtcTime time : {UtcTime{}, UtcTime(1'714'566'600'250ms), UtcTime(-1ms)})
    EXPECT_EQ(parse_utc(iso_utc(time)), time);
}

TEST(ParseUtc, ReadsNothingElse) {
  for (const auto* const text :
       {"", "2024-05-01T12:30:00Z", "2024-05-01T12:30:00.250", "2024-05-01T12:30:00.250Zx",
        "2024-05-01 12:30:00.250Z", "2024-13-01T12:30:00.250Z", "2024-02-30T12:30:00.250Z",
        "2024-05-01T24:30:00.250Z", "2024-5-01T12:30:00.250Z"})
    EXPECT_EQ(parse_utc(text), std::nullopt) << text;
}

}  // namespace
}  // namespace hallmark::base
