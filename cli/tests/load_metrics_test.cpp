#include "cli/metrics/load_metrics.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <sstream>

#include "base/number.hpp"

namespace hallmark::cli {
namespace {

using testing::HasSubstr;
using testing::Not;

const std::vector<std::string> operations{"query", "update"};

MetricLabels labels() {
  return {.target = "tcp://127.0.0.1:9000", .dialect = "throttr-7.1", .run = "night", .rank = 2};
}

/// 99 queries take 1 to 99 ms; one, and an update, have no reply within 200 ms.
loadgen::Tally second() {
  loadgen::Tally tally(2);
  for (std::int64_t i = 1; i <= 99; ++i) {
    tally.parts[0].plan();
    tally.parts[0].complete({0, 0}, i * 1'000'000);
  }
  for (auto& part : tally.parts) {
    part.plan();
    part.lose(loadgen::Failure::timeout, {0, 0}, 200'000'000);
  }
  return tally;
}

std::string text_after(int seconds) {
  LoadMetrics metrics(labels());
  for (int i = 0; i < seconds; ++i) metrics.add(operations, second());
  return metrics.text();
}

/// The value of the one line that begins so.
double value_of(const std::string& text, const std::string& begin) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with(begin))
      return base::number_in<double>(line.substr(line.rfind(' ') + 1)).value_or(-1);
  }
  ADD_FAILURE() << begin << " is not in\n" << text;
  return -1;
}

const std::string query =
    R"({dialect="throttr-7.1",rank="2",run="night",target="tcp://127.0.0.1:9000",operation="query")";

/// The beginning of the line of a metric of queries; with another label.
std::string metric_of(std::string_view name) { return fmt::format("{}{}", name, query); }
std::string line_of(std::string_view name, std::string_view label) {
  return fmt::format("{}{},{}", name, query, label);
}

TEST(LoadMetrics, AreLabelledWithTheRunAndCountItsRequests) {
  const std::string text = text_after(2);
  EXPECT_EQ(value_of(text, metric_of("hallmark_load_planned_requests_total")), 200);
  EXPECT_EQ(value_of(text, line_of("hallmark_load_requests_total", R"(outcome="completed")")), 198);
  EXPECT_EQ(value_of(text, line_of("hallmark_load_requests_total", R"(outcome="timed_out")")), 2);
  EXPECT_EQ(value_of(text, line_of("hallmark_load_requests_total", R"(outcome="failed")")), 0);
  EXPECT_THAT(text, HasSubstr("operation=\"update\""));
  EXPECT_EQ(value_of(text, "hallmark_load_running"), 1);
}

TEST(LoadMetrics, SayNothingOfTheirServer) {
  const std::string text = text_after(1);
  EXPECT_THAT(text, Not(HasSubstr("exposer_")));
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);)
    EXPECT_THAT(line,
                testing::AnyOf(testing::StartsWith("hallmark_load_"), testing::StartsWith("# ")));
}

/// The cumulative buckets as `histogram_quantile` takes them: the upper edge of the first that
/// holds the share.
double edge_at(const std::string& text, double share) {
  const double count = value_of(text, metric_of("hallmark_load_latency_seconds_count"));
  std::istringstream lines(text);
  double before = 0;
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("hallmark_load_latency_seconds_bucket") ||
        line.find("operation=\"query\"") == std::string::npos)
      continue;
    const double held = *base::number_in<double>(line.substr(line.rfind(' ') + 1));
    EXPECT_GE(held, before) << line;
    before = held;
    const auto le = line.find("le=\"") + 4;
    if (held >= share * count)
      return *base::number_in<double>(line.substr(le, line.find('"', le) - le));
  }
  return -1;
}

TEST(LoadMetrics, HaveBucketsForHistogramQuantile) {
  const std::string text = text_after(1);
  EXPECT_THAT(text, HasSubstr("le=\"+Inf\"} 100"));
  EXPECT_EQ(edge_at(text, 0.5), 0.05);
  EXPECT_EQ(edge_at(text, 0.9), 0.1);
  EXPECT_EQ(edge_at(text, 1), 0.2);  // a wait counts as the latency
  EXPECT_NEAR(value_of(text, metric_of("hallmark_load_latency_seconds_sum")), 5.15, 0.01);
}

TEST(LoadMetrics, FlagQuantilesThatAreLowerBounds) {
  const std::string text = text_after(1);
  const auto flag = [&](const std::string& quantile) {
    return value_of(text, line_of("hallmark_load_last_second_latency_at_least",
                                  "quantile=\"" + quantile + "\""));
  };
  EXPECT_EQ(flag("0.5"), 0);
  EXPECT_EQ(flag("1"), 1);
}

TEST(LoadMetrics, TheLastValuesSayThatTheRunIsOver) {
  LoadMetrics metrics(labels());
  metrics.add(operations, second());
  metrics.finish();
  EXPECT_EQ(value_of(metrics.text(), "hallmark_load_running"), 0);
  EXPECT_EQ(value_of(metrics.text(), metric_of("hallmark_load_planned_requests_total")), 100);
}

}  // namespace
}  // namespace hallmark::cli
