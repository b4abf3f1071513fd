#include "loadgen/results/summary.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "loadgen/histogram/hdr_codec.hpp"

namespace hallmark::loadgen {
namespace {

const std::vector<std::string> names = {"query", "update"};

Tally sample() {
  Tally tally{2};
  tally.parts[0].plan(3);
  tally.parts[0].complete({0, 4'000}, 5'000);
  tally.parts[0].complete({0, 1'000}, 3'000);
  tally.lose(0, Failure::timeout, {}, {0, 1'000}, 9'000);
  tally.parts[1].plan(2);
  tally.lose(1, Failure::reset, "first", {0, 1'000}, 1'500);
  tally.lose(1, Failure::closed, "closed", {}, 9'000);
  tally.fail(Failure::reset, "second");
  tally.send_lag.record(7);
  tally.sent = 4;
  tally.writes = 2;
  tally.reads = 1;
  return tally;
}

TEST(Summary, counts_latencies_and_errors_by_kind) {
  reports::LoadResult result;
  summarise(sample(), names, result);
  EXPECT_EQ(result.counts, (reports::LoadCounts{5, 2, 1, 0, 2}));
  ASSERT_EQ(result.operations.size(), 2U);
  EXPECT_EQ(result.operations[1].operation, "update");
  EXPECT_EQ(result.operations[0].corrected.quantiles.p50, 5'000U);
  EXPECT_EQ(result.corrected.quantiles.p50, (reports::Quantile{5'000, true}));
  EXPECT_EQ(result.corrected.quantiles.mean, (reports::Mean{27'500.0 / 5, true}));
  EXPECT_EQ(result.uncorrected.quantiles.min, 1'000U);
  EXPECT_EQ(result.send_lag.quantiles.max, 7U);
  EXPECT_EQ(result.requests_per_write, 2.0);
  EXPECT_EQ(result.replies_per_read, 2.0);
  EXPECT_THAT(result.errors,
              testing::ElementsAre(reports::ErrorKind{"timeout", 1, ""},
                                   reports::ErrorKind{"connection reset", 2, "first"},
                                   reports::ErrorKind{"connection closed", 1, "closed"}));
}

TEST(Summary, the_kept_histogram_is_the_distribution) {
  const auto latency = latency_of(sample().parts[0].corrected());
  const auto decoded = decode_compressed_base64(latency.histogram);
  ASSERT_TRUE(decoded);
  EXPECT_EQ(decoded->count(), 2U);
}

Histogram hundred() {
  Histogram histogram;
  for (std::uint64_t i = 1; i <= 100; ++i) histogram.record(i * 10);
  return histogram;
}

CensoredHistogram hundred_and(std::uint64_t waits, std::uint64_t wait_ns) {
  CensoredHistogram histogram;
  histogram.add(hundred(), {});
  histogram.record_longer(wait_ns, waits);
  return histogram;
}

TEST(Summary, quantiles_among_requests_without_a_reply_are_lower_bounds) {
  const auto latency = latency_of(hundred_and(1, 5'000));
  EXPECT_EQ(latency.quantiles.count, 100U);
  EXPECT_EQ(latency.quantiles.min, 10U);
  // The 51st of 101, the 91st, the 100th, the last.
  EXPECT_EQ(latency.quantiles.p50, 510U);
  EXPECT_EQ(latency.quantiles.p90, 910U);
  EXPECT_EQ(latency.quantiles.p99, 1'000U);
  EXPECT_EQ(latency.quantiles.p999, (reports::Quantile{5'000, true}));
  EXPECT_EQ(latency.quantiles.max, (reports::Quantile{5'000, true}));
  EXPECT_TRUE(latency.quantiles.mean.at_least);
  ASSERT_TRUE(latency.censored);
  EXPECT_EQ(latency.censored->count, 1U);
  EXPECT_EQ(latency.censored->least_ns, 5'000U);
  EXPECT_THAT(latency.censored->reason, testing::StartsWith("1 of 101 requests have no reply: "));
}

TEST(Summary, no_quantile_is_above_the_maximum) {
  Histogram histogram;
  histogram.record(1'000'001);
  const auto quantiles = latency_of(histogram).quantiles;
  EXPECT_EQ(quantiles.p9999, quantiles.max);
  EXPECT_EQ(quantiles.max, 1'000'001U);
}

TEST(Summary, requests_held_back_by_a_slow_target_are_not_the_clients) {
  auto tally = sample();
  tally.fail(Failure::backlog);
  reports::LoadResult result;
  summarise(tally, names, result);
  EXPECT_EQ(result.inconclusive, "");
}

TEST(Summary, what_the_clients_system_lacks_makes_a_run_inconclusive) {
  for (const Failure lacking : {Failure::not_sent, Failure::starved}) {
    auto tally = sample();
    tally.fail(lacking, "No buffer space available");
    reports::LoadResult result;
    summarise(tally, names, result);
    EXPECT_THAT(result.inconclusive, testing::HasSubstr("1 requests: No buffer space available"));
  }
}

TEST(Summary, requests_the_client_came_too_late_to_make_a_run_inconclusive) {
  auto tally = sample();
  tally.fail(Failure::late);
  reports::LoadResult result;
  summarise(tally, names, result);
  EXPECT_THAT(result.inconclusive, testing::HasSubstr("the client was the bottleneck"));
}

TEST(Summary, a_second) {
  auto tally = sample();
  auto one = sample_of(tally, 9, 1);
  EXPECT_EQ(latency_of(one)->known().count(), 2U);
  EXPECT_EQ(latency_of(one)->waits().count(), 3U);
  EXPECT_EQ(one.completed, 2U);
  EXPECT_EQ(one.errors, 3U);
  EXPECT_EQ(one.p50, (reports::Quantile{5'000, true}));
  EXPECT_EQ(one.max, (reports::Quantile{9'000, true}));
}

TEST(Tally, sums_and_resets_to_nothing) {
  Tally sum{2};
  sum.add(sample());
  sum.add(sample());
  EXPECT_EQ(sum.total(), (reports::LoadCounts{10, 4, 2, 0, 4}));
  EXPECT_EQ(sum.parts[0].corrected().known().count(), 4U);
  EXPECT_EQ(sum.failures[static_cast<std::size_t>(Failure::reset)], 4U);
  EXPECT_EQ(sum.examples[static_cast<std::size_t>(Failure::reset)], "first");
  sum.reset();
  EXPECT_EQ(sum.total(), reports::LoadCounts{});
  EXPECT_EQ(sum.sent + sum.writes + sum.reads, 0U);
  EXPECT_TRUE(sum.send_lag.empty());
}

}  // namespace
}  // namespace hallmark::loadgen
