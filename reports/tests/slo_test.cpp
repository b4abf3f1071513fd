#include "reports/load/slo.hpp"

#include <gmock/gmock.h>

#include "reports/tests/samples.hpp"

namespace hallmark::reports {
namespace {

using testing::HasSubstr;

ObjectiveOutcome judged(std::string_view text, const LoadResult& result) {
  return judge(parse_objectives(text).value(), result).front();
}

/// p50 10.25 us, p99 among requests without a reply in 1 s, a tenth of a percent of errors.
LoadResult measured() {
  LoadResult result;
  result.rate_asked = 1'000;
  result.rate_achieved = 990;
  result.counts = {10'000, 9'990, 6, 0, 4};
  const Quantile lost{1'000'000'000, true};
  result.corrected.quantiles = {
      9'990, 1'000, 10'250, 20'000, lost, lost, lost, lost, {12'000'000.5, true}};
  result.corrected.censored = Censored{10, 1'000'000'000, {}, "10 have no reply"};
  result.uncorrected.quantiles = {9'990, 900, 8'000, 9'000, 9'500, 9'900, 9'990, 9'999, 8'100.0};
  return result;
}

struct ObjectiveRow {
  const char* objective;
  Met met;
  const char* shown;
};

class Judged : public testing::TestWithParam<ObjectiveRow> {};

TEST_P(Judged, AsItWasMeasured) {
  const auto outcome = judged(GetParam().objective, measured());
  EXPECT_EQ(outcome.met, GetParam().met) << GetParam().objective;
  EXPECT_EQ(outcome.shown, GetParam().shown) << GetParam().objective;
  EXPECT_EQ(outcome.objective, GetParam().objective);
}

INSTANTIATE_TEST_SUITE_P(Rows, Judged,
                         testing::Values(ObjectiveRow{"p50<10.3us", Met::yes, "10.3 µs"},
                                         ObjectiveRow{"p50<10.25us", Met::no, "10.3 µs"},
                                         ObjectiveRow{"p50<=10.25us", Met::yes, "10.3 µs"},
                                         ObjectiveRow{"p90<20us", Met::no, "20.0 µs"},
                                         ObjectiveRow{"mean<=12ms", Met::no, ">= 12.0 ms"},
                                         ObjectiveRow{"mean<13ms", Met::unknown, ">= 12.0 ms"},
                                         ObjectiveRow{"min>=1us", Met::yes, "1.00 µs"},
                                         // It took longer than the timeout: how long, nobody knows.
                                         ObjectiveRow{"p99<5ms", Met::no, ">= 1.00 s"},
                                         ObjectiveRow{"p99<1s", Met::no, ">= 1.00 s"},
                                         ObjectiveRow{"p99<=1s", Met::no, ">= 1.00 s"},
                                         ObjectiveRow{"p99<2s", Met::unknown, ">= 1.00 s"},
                                         ObjectiveRow{"p99>500ms", Met::yes, ">= 1.00 s"},
                                         ObjectiveRow{"p99>2s", Met::unknown, ">= 1.00 s"},
                                         ObjectiveRow{"service.p99.99<10us", Met::yes, "9.99 µs"},
                                         ObjectiveRow{"service.max<9us", Met::no, "10.0 µs"},
                                         ObjectiveRow{"lag.p99<1ms", Met::unknown, ""},
                                         ObjectiveRow{"errors<0.2%", Met::yes, "0.1 %"},
                                         ObjectiveRow{"errors<0.001", Met::no, "0.1 %"},
                                         ObjectiveRow{"rate>=0.99", Met::yes, "99 %"},
                                         ObjectiveRow{"rate>=99.5%", Met::no, "99 %"},
                                         ObjectiveRow{"throughput>1k", Met::no, "990.0/s"}));

TEST(Objectives, AreReadInTheirOrder) {
  const auto read = parse_objectives("p99<5ms,errors<=0.01%,rate>0.5").value();
  ASSERT_EQ(read.size(), 3U);
  EXPECT_EQ(read[0].bound, 5'000'000);
  EXPECT_EQ(read[1].relation, Relation::at_most);
  EXPECT_DOUBLE_EQ(read[1].bound, 0.0001);
  EXPECT_EQ(read[2].text, "rate>0.5");
}

TEST(Objectives, ThatAreNoneAreRefusedInOneLine) {
  const std::pair<const char*, const char*> wrong[] = {
      {"", "'' is not an objective"},
      {"p99", "'p99' is not an objective"},
      {"p98<1ms", "'p98' is not a metric"},
      {"p99<1", "'1' is not a bound of p99"},
      {"p99<1%", "'1%' is not a bound"},
      {"errors<1ms", "'1ms' is not a bound of errors"},
      {"p99<-1ms", "'-1ms' is not a bound"},
      {"p99<ms", "'ms' is not a bound"},
      {"lag.errors<1", "is not a metric"},
      {"p99<1ms,", "'' is not an objective"},
      {"p99=1ms", "'p99=1ms' is not an objective"}};
  for (const auto& [text, why] : wrong) {
    const auto refused = parse_objectives(text);
    ASSERT_FALSE(refused) << text;
    EXPECT_THAT(refused.error().message, HasSubstr(why)) << text;
    EXPECT_THAT(refused.error().message, HasSubstr("such as p99<5ms"));
  }
}

TEST(Objectives, DecideTheExitCode) {
  auto result = samples::open_loop();
  const auto code = [&](std::string_view text) {
    result.objectives = judge(parse_objectives(text).value(), result);
    return exit_code(result);
  };
  EXPECT_EQ(code("p50<1s"), ExitCode::as_expected);
  EXPECT_EQ(code("p50<1s,p50<1ns"), ExitCode::failures);
  EXPECT_EQ(code("p50<1s,lag.p50<1s"), ExitCode::as_expected);
  result.counts = {500'000, 499'990, 10, 0, 0};
  EXPECT_EQ(code("p50<1s"), ExitCode::failures);
  EXPECT_EQ(code("p50<1s,errors<1%"), ExitCode::as_expected);
  EXPECT_EQ(code("p50<1s,errors<0.001%"), ExitCode::failures);
  result.send_lag = {};
  EXPECT_EQ(code("errors<1%,lag.p99<1s"), ExitCode::indeterminate);
  EXPECT_EQ(code("errors<0,lag.p99<1s"), ExitCode::failures);
  result.inconclusive = "the client was too slow";
  EXPECT_EQ(code("rate>=1,errors<1%"), ExitCode::indeterminate);
  EXPECT_EQ(code("errors<0.001%"), ExitCode::failures) << "the client fails no requests";
}

TEST(Objectives, AQuantileAmongRequestsThatFailedIsMissedByTheTarget) {
  auto result = samples::open_loop();
  result.inconclusive = "the client was too slow";
  result.corrected.quantiles.p90 = {200'000'000, true};
  const auto code = [&](std::uint64_t failed) {
    result.counts = {100, 100 - failed, 0, 0, failed};
    result.objectives = judge(parse_objectives("p90<5ms,errors<50%").value(), result);
    return exit_code(result);
  };
  EXPECT_EQ(code(11), ExitCode::failures);
  EXPECT_EQ(code(10), ExitCode::indeterminate) << "the slowest reply may be the client's";
}

/// The client's own delay may be why a reply was late, but not why none came.
TEST(Objectives, MissedByTheTargetFailAnInconclusiveRun) {
  auto result = samples::open_loop();
  result.inconclusive = "the client was too slow";
  const auto code = [&] {
    result.objectives = judge(parse_objectives("p90<5ms,errors<50%").value(), result);
    return exit_code(result);
  };
  result.corrected.quantiles.p90 = 200'000'000;
  EXPECT_EQ(code(), ExitCode::indeterminate);
  result.corrected.quantiles.p90 = {200'000'000, true};
  EXPECT_EQ(code(), ExitCode::indeterminate) << "it may have left late";
  result.uncorrected.quantiles.p90 = {199'000'000, true};
  EXPECT_EQ(code(), ExitCode::failures);
  EXPECT_TRUE(result.objectives.front().proven);
}

}  // namespace
}  // namespace hallmark::reports
