// Tests of the text about series of load runs.
#include <gmock/gmock.h>

#include "reports/json_report.hpp"
#include "reports/knee.hpp"
#include "reports/load_comparison.hpp"
#include "reports/tests/golden.hpp"
#include "reports/tests/samples.hpp"

namespace hallmark::reports {
namespace {

Knee found() {
  Knee knee;
  knee.target = "tcp://127.0.0.1:9000";
  knee.objectives = "p99<2ms";
  knee.rate = 20'000;
  knee.low = 19'000;
  knee.high = 21'000;
  knee.up = {20'000, 21'000};
  knee.down = {19'000, 0};
  knee.points = {{"bracket", 10'000, 9'999, Met::yes, 90'000, 200'000, 1'000'000, 0.4, ""},
                 {"up", 20'000, 19'999, Met::yes, 100'000, 300'000, 1'500'000, 0.5, ""},
                 {"down",
                  20'000,
                  19'000,
                  Met::no,
                  100'000,
                  2'300'000,
                  {200'000'000, true},
                  0.5,
                  "p99<2ms: 2.30 ms"}};
  return knee;
}

LoadComparison compared() {
  LoadComparison comparison;
  comparison.before = "tcp://a:1";
  comparison.now = "tcp://b:2";
  comparison.blocks_before = comparison.blocks_now = 20;
  comparison.metrics = {
      {"throughput", 10'000, 9'000, -1'200, -900, 20, Difference::worse},
      {"p50", 90'000, 91'000, -3'000, 5'000, 2'000, Difference::same},
      {"p99", 2'000'000, 1'000'000, -1'100'000, -900'000, 50'000, Difference::better},
      {"p99.9", 3'000'000, {200'000'000, true}, 0, 0, 50'000, Difference::unknown}};
  return comparison;
}

TEST(KneeReport, IsAsTheGoldenFile) {
  expect_golden("knee.txt", render_terminal(found(), {}));
  EXPECT_EQ(exit_code(found()), ExitCode::as_expected);
}

TEST(KneeReport, SaysWhenThereIsNone) {
  Knee none = found();
  none.rate = 0;
  EXPECT_THAT(render_terminal(none, {}), testing::HasSubstr("NONE  not even 10,000 requests/s"));
  EXPECT_EQ(exit_code(none), ExitCode::failures);
  EXPECT_EQ(exit_code(Knee{}), ExitCode::failures);
}

TEST(KneeReport, ALimitOfTheClientIsNoneOfTheTarget) {
  Knee limited = found();
  limited.client_limited = true;
  EXPECT_THAT(render_terminal(limited, {}), testing::HasSubstr("the client could not say"));
  EXPECT_EQ(exit_code(limited), ExitCode::indeterminate);
}

TEST(LoadComparisonReport, IsAsTheGoldenFile) {
  expect_golden("load_comparison.txt", render_terminal(compared(), {}));
  EXPECT_EQ(exit_code(compared()), ExitCode::failures);
}

TEST(LoadComparisonReport, NothingWorseIsAsExpectedAndNothingKnownIsIndeterminate) {
  auto better = compared();
  better.metrics.erase(better.metrics.begin());
  EXPECT_THAT(render_terminal(better, {}), testing::HasSubstr("BETTER  1 of 3 metrics"));
  EXPECT_EQ(exit_code(better), ExitCode::as_expected);
  better.inconclusive = "interrupted";
  EXPECT_EQ(exit_code(better), ExitCode::indeterminate);
  EXPECT_EQ(exit_code(LoadComparison{}), ExitCode::indeterminate);
}

TEST(SecondsAsCsv, FlagLowerBounds) {
  std::vector<SecondSample> series{{0, 10, 9, 1, 5, {200, true}, {200, true}}};
  EXPECT_EQ(render_csv(series),
            "second,seconds,sent,completed,errors,p50_ns,p99_ns,max_ns,p50_at_least,p99_at_least,"
            "max_at_least\r\n0,1.000,10,9,1,5,200,200,0,1,1\r\n");
}

}  // namespace
}  // namespace hallmark::reports
