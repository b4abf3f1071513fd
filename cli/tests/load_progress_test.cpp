#include "cli/load/load_progress.hpp"

#include <gmock/gmock.h>

#include "base/text.hpp"

namespace hallmark::cli {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

void add_second(LoadProgress& progress, std::uint64_t second, std::uint64_t p99) {
  loadgen::Tally tally(1);
  tally.send_lag.record(12'000);
  progress.add(
      {.second = second, .sent = 1990, .completed = 1980, .errors = 1, .p50 = 200'000, .p99 = p99},
      tally);
}

TEST(LoadProgress, ShowsTheLastMinute) {
  LoadProgress progress(std::chrono::seconds(60), true);
  add_second(progress, 0, 1'000'000);
  add_second(progress, 1, 8'000'000);
  const auto lines = progress.lines(80);
  ASSERT_EQ(lines.size(), 6U);
  EXPECT_THAT(lines[0], HasSubstr("2.00 s of 60.0 s, 58.0 s left"));
  EXPECT_EQ(lines[1], "rate      asked 0/s, sent 1,990/s, answered 1,980/s");
  EXPECT_EQ(lines[2], "p50       200 µs    ▁▁");
  EXPECT_EQ(lines[3], "p99       8.00 ms   ▁█");
  EXPECT_EQ(lines[4], "errors    2         ▁▁");
  EXPECT_THAT(lines[5], StartsWith("lag       12"));
}

TEST(LoadProgress, FitsTheTerminal) {
  LoadProgress progress(std::chrono::seconds(600), false);
  for (std::uint64_t i = 0; i < 100; ++i) add_second(progress, i, 1'000'000);
  for (const std::size_t columns : {40U, 60U, 80U, 200U})
    for (const std::string& line : progress.lines(columns))
      EXPECT_LT(base::display_width(line), columns) << line;
}

TEST(LoadProgress, WrapsRatesWhereTheTerminalIsNarrow) {
  LoadProgress progress(std::chrono::seconds(60), true);
  add_second(progress, 0, 1'000'000);
  const auto lines = progress.lines(40);
  ASSERT_EQ(lines.size(), 7U);
  EXPECT_EQ(lines[1], "rate      asked 0/s, sent 1,990/s,");
  EXPECT_EQ(lines[2], "          answered 1,980/s");
}

TEST(LoadProgress, IsNothingBeforeTheFirstSecond) {
  EXPECT_TRUE(LoadProgress(std::chrono::seconds(60), true).lines(80).empty());
}

}  // namespace
}  // namespace hallmark::cli
