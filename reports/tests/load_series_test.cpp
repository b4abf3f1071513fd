// Tests of the text about series of load runs.
#include <gmock/gmock.h>

#include "reports/json_report.hpp"
#include "reports/load/knee.hpp"
#include "reports/load/load_comparison.hpp"
#include "reports/saved_result.hpp"
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
  knee.down = {19'000, 19'000};
  knee.confirmed = 19'900;
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

TEST(KneeReport, IsInconclusiveWhereNoLongerRunHolds) {
  Knee unconfirmed = found();
  unconfirmed.confirmed = 0;
  EXPECT_EQ(exit_code(unconfirmed), ExitCode::as_expected);  // none was made
  unconfirmed.points.push_back(unconfirmed.points.back());
  unconfirmed.points.back().sweep = "confirm";
  EXPECT_THAT(render_terminal(unconfirmed, {}), testing::HasSubstr("longer runs"));
  EXPECT_EQ(exit_code(unconfirmed), ExitCode::indeterminate);
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

/// Reads what was saved, as `hallmark report` does.
template <class T>
T read_back(const T& result) {
  const auto read = parse_result(render_json(result), "x");
  EXPECT_TRUE(read) << read.error().message;
  return std::get<T>(*read);
}

TEST(SavedSeries, ReadBackEqual) {
  EXPECT_EQ(read_back(found()), found());
  EXPECT_EQ(read_back(Knee{}), Knee{});
  LoadComparison open = compared();
  open.metrics.back().high_open = true;
  EXPECT_EQ(read_back(open), open);
}

TEST(SavedSeries, OfAnotherVersionSayWhatToDo) {
  const auto read = parse_result(R"({"format": "hallmark-knee", "format_version": 7})", "k.json");
  ASSERT_FALSE(read);
  EXPECT_THAT(read.error().message,
              testing::HasSubstr("k.json: line 1, column 47: /format_version: expected 1; a newer "
                                 "hallmark wrote this: read it with that one, came 7"));
}

TEST(LoadComparisonReport, SaysWhereAnIntervalIsOpen) {
  LoadComparison open = compared();
  open.metrics.back().high_open = true;
  EXPECT_THAT(render_terminal(open, {}), testing::HasSubstr("+0 ns … ?"));
}

TEST(LoadComparisonReport, MarksWhatTheClientCouldExplain) {
  LoadComparison marked = compared();
  marked.metrics.back().now = Mean(200'000'000.0, true);
  marked.metrics.back().now.by_client = true;
  EXPECT_THAT(render_terminal(marked, {}),
              testing::AllOf(testing::HasSubstr(">= ~200 ms"),
                             testing::HasSubstr("\n~ the client sent or read so late")));
  EXPECT_EQ(read_back(marked), marked);
}

TEST(SpreadReport, ShowsTheRunsAndTheIntervalOfTheirMean) {
  const std::vector<MetricSpread> spread{
      {"throughput", {90.0, 100.0, 110.0}, 75.2, 124.8},
      {"p99", {1'000'000.0, Mean(200'000'000.0, true), 2'000'000.0}, 0, 0}};
  EXPECT_EQ(render_terminal(spread, {}),
            "between 3 runs    least       most  95 % interval of the mean\n"
            "throughput       90.0/s    110.0/s           75.2/s … 124.8/s\n"
            "p99             1.00 ms  >= 200 ms                          ·\n\n");
  EXPECT_EQ(render_terminal(std::vector<MetricSpread>(), {}), "");
}

TEST(SearchAsCsv, HasALineForEachRun) {
  Knee knee = found();
  knee.points.erase(knee.points.begin(), knee.points.begin() + 2);
  EXPECT_EQ(render_csv(knee),
            "sweep,rate,achieved,met,p50_ns,p99_ns,p99_9_ns,p50_at_least,p99_at_least,"
            "p99_9_at_least,busy\r\n"
            "down,20000.0,19000.0,no,100000,2300000,200000000,0,0,1,0.500\r\n");
}

TEST(SecondsAsCsv, FlagLowerBoundsAndWhatTheClientCouldExplain) {
  std::vector<SecondSample> series{{0, 10, 9, 1, 5, {200, true}, {200, true}}};
  series[0].p99.by_client = true;
  series[0].reconnects = 3;
  EXPECT_EQ(render_csv(series),
            "second,seconds,sent,completed,errors,p50_ns,p99_ns,max_ns,p50_at_least,p99_at_least,"
            "max_at_least,p50_by_client,p99_by_client,max_by_client,reconnects\r\n"
            "0,1.000,10,9,1,5,200,200,0,1,1,0,1,0,3\r\n");
}

}  // namespace
}  // namespace hallmark::reports
