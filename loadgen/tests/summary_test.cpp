#include "loadgen/results/summary.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "loadgen/histogram/hdr_codec.hpp"

namespace hallmark::loadgen {
namespace {

reports::SecondSample without_histogram(reports::SecondSample sample) {
  EXPECT_NE(std::exchange(sample.histogram, {}), "");
  return sample;
}

const std::vector<std::string> names = {"query", "update"};

Tally sample() {
  Tally tally{2};
  tally.parts[0].counts = {3, 2, 1, 0, 0};
  tally.parts[0].corrected.record(5'000);
  tally.parts[0].corrected.record(3'000);
  tally.parts[0].uncorrected.record(1'000);
  tally.parts[0].uncorrected.record(2'000);
  tally.parts[1].counts = {2, 0, 0, 1, 1};
  tally.fail(Failure::timeout);
  tally.fail(Failure::reset, "first");
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
  EXPECT_EQ(result.counts, (reports::LoadCounts{5, 2, 1, 1, 1}));
  ASSERT_EQ(result.operations.size(), 2U);
  EXPECT_EQ(result.operations[1].operation, "update");
  EXPECT_EQ(result.operations[0].corrected.quantiles.max, 5'000U);
  EXPECT_EQ(result.corrected.quantiles.mean, 4'000.0);
  EXPECT_EQ(result.uncorrected.quantiles.min, 1'000U);
  EXPECT_EQ(result.send_lag.quantiles.max, 7U);
  EXPECT_EQ(result.requests_per_write, 2.0);
  EXPECT_EQ(result.replies_per_read, 2.0);
  EXPECT_THAT(result.errors,
              testing::ElementsAre(reports::ErrorKind{"timeout", 1, ""},
                                   reports::ErrorKind{"connection reset", 2, "first"}));
  EXPECT_EQ(result.inconclusive, "");
}

TEST(Summary, the_kept_histogram_is_the_distribution) {
  const auto latency = latency_of(sample().parts[0].corrected);
  const auto decoded = decode_compressed_base64(latency.histogram);
  ASSERT_TRUE(decoded);
  EXPECT_EQ(decoded->count(), 2U);
}

Histogram hundred() {
  Histogram histogram;
  for (std::uint64_t i = 1; i <= 100; ++i) histogram.record(i * 10);
  return histogram;
}

TEST(Summary, what_was_lost_hides_the_quantiles_above) {
  const auto latency = latency_of(hundred(), {.count = 1, .beyond_ns = 5'000});
  EXPECT_EQ(latency.quantiles.count, 100U);
  EXPECT_EQ(latency.quantiles.min, 10U);
  // The 51st of 101, the 91st, the 100th.
  EXPECT_EQ(latency.quantiles.p50, 510U);
  EXPECT_EQ(latency.quantiles.p90, 910U);
  EXPECT_EQ(latency.quantiles.p99, 1'000U);
  EXPECT_EQ(latency.quantiles.p999, std::nullopt);
  EXPECT_EQ(latency.quantiles.max, std::nullopt);
  EXPECT_EQ(latency.quantiles.mean, std::nullopt);
  ASSERT_TRUE(latency.censored);
  EXPECT_EQ(latency.censored->beyond_ns, 5'000U);
  EXPECT_EQ(latency.censored->reason,
            "1 of 101 requests were not answered in time: quantiles above 99.0099 % are unknown");
}

TEST(Summary, a_reply_slower_than_what_was_lost_decides_nothing) {
  const auto latency = latency_of(hundred(), {.count = 1, .beyond_ns = 950});
  EXPECT_EQ(latency.quantiles.p90, 910U);
  EXPECT_EQ(latency.quantiles.p99, std::nullopt);
}

TEST(Summary, when_everything_is_lost_nothing_is_known) {
  const auto latency = latency_of(Histogram{}, {.count = 7, .beyond_ns = 950});
  EXPECT_EQ(latency.quantiles.count, 0U);
  EXPECT_EQ(latency.quantiles.p50, std::nullopt);
}

TEST(Summary, no_quantile_is_above_the_maximum) {
  Histogram histogram;
  histogram.record(1'000'001);
  const auto quantiles = latency_of(histogram).quantiles;
  EXPECT_EQ(quantiles.p9999, quantiles.max);
  EXPECT_EQ(quantiles.max, 1'000'001U);
}

TEST(Summary, a_closed_loop_has_one_distribution) {
  reports::LoadResult result;
  result.loop = reports::LoopKind::closed;
  summarise(sample(), names, result);
  EXPECT_EQ(result.corrected, result.uncorrected);
}

TEST(Summary, requests_held_back_by_a_slow_target_make_a_run_inconclusive) {
  auto tally = sample();
  tally.fail(Failure::backlog);
  reports::LoadResult result;
  summarise(tally, names, result);
  EXPECT_THAT(result.inconclusive, testing::HasSubstr("1 requests were not sent"));
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
  EXPECT_EQ(without_histogram(sample_of(tally, 9, 1, true)),
            (reports::SecondSample{9, 4, 2, 3, 3'001, 5'000, 5'000}));
  EXPECT_EQ(without_histogram(sample_of(tally, 9, 1, false)),
            (reports::SecondSample{9, 4, 2, 3, 1'000, 2'000, 2'000}));
}

TEST(Tally, sums_and_resets_to_nothing) {
  Tally sum{2};
  sum.add(sample());
  sum.add(sample());
  EXPECT_EQ(sum.total(), (reports::LoadCounts{10, 4, 2, 2, 2}));
  EXPECT_EQ(sum.parts[0].corrected.count(), 4U);
  EXPECT_EQ(sum.failures[static_cast<std::size_t>(Failure::reset)], 4U);
  EXPECT_EQ(sum.examples[static_cast<std::size_t>(Failure::reset)], "first");
  sum.reset();
  EXPECT_EQ(sum.total(), reports::LoadCounts{});
  EXPECT_EQ(sum.sent + sum.writes + sum.reads, 0U);
  EXPECT_TRUE(sum.send_lag.empty());
}

}  // namespace
}  // namespace hallmark::loadgen
