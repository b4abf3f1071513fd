#include "loadgen/results/merge.hpp"

#include <gmock/gmock.h>

#include "loadgen/arrivals/random_stream.hpp"
#include "loadgen/histogram/hdr_codec.hpp"
#include "loadgen/results/summary.hpp"
#include "reports/load/slo.hpp"

namespace hallmark::loadgen {
namespace {

using std::chrono::seconds;
using testing::HasSubstr;

const std::vector<std::string> two_operations{"query", "update"};

/// Counts as a worker would have them, a part of the requests at a time.
void count(Tally& tally, std::uint64_t from, std::uint64_t to) {
  const base::CounterRandom random(1, RandomStream::value);
  for (std::uint64_t i = from; i < to; ++i) {
    Ledger& part = tally.parts[i % 2];
    part.plan();
    const auto lag = static_cast<std::int64_t>(random.below_at(i, 10'000));
    if (i % 50 == 0) {
      tally.lose(i % 2, Failure::timeout, "late", {0, lag}, 20'000'000);
      continue;
    }
    const auto latency = static_cast<std::int64_t>(100'000 + random.below_at(i, 10'000'000));
    part.complete({0, lag}, latency);
    tally.send_lag.record(random.below_at(i, 1'000));
  }
  tally.bytes_out += to - from;
}

reports::LoadResult result_of(const Tally& tally, int started_s, int lasted_s) {
  reports::LoadResult result;
  result.rate_asked = 1'000;
  result.header.dialect = "throttr-7.1";
  result.header.started = reports::RunHeader{}.started + seconds(1'000'000 + started_s);
  result.header.duration = seconds(lasted_s);
  summarise(tally, two_operations, result);
  result.rate_achieved = static_cast<double>(result.counts.completed) / lasted_s;
  return result;
}

base::Result<reports::LoadResult> merge(const std::vector<reports::LoadResult>& runs) {
  std::vector<std::string> names;
  for (std::size_t i = 1; i <= runs.size(); ++i) names.push_back(std::to_string(i) + ".json");
  return loadgen::merge(runs, names);
}

TEST(Merge, TheSumIsThatOfOneRun) {
  Tally first(2);
  Tally second(2);
  Tally both(2);
  count(first, 0, 700);
  count(second, 700, 2'000);
  count(both, 0, 2'000);
  const std::vector runs{result_of(first, 0, 10), result_of(second, 10, 10)};
  const auto merged = merge(runs);
  ASSERT_TRUE(merged) << merged.error().message;
  const auto whole = result_of(both, 0, 20);
  EXPECT_EQ(merged->counts, whole.counts);
  EXPECT_TRUE(merged->counts.balanced());
  EXPECT_EQ(merged->operations.size(), 2U);
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(merged->operations[i].counts, whole.operations[i].counts);
    EXPECT_EQ(merged->operations[i].corrected.histogram, whole.operations[i].corrected.histogram);
  }
  for (auto latency : {&reports::LoadResult::corrected, &reports::LoadResult::uncorrected,
                       &reports::LoadResult::send_lag}) {
    auto left = (*merged).*latency;
    auto right = whole.*latency;
    EXPECT_NEAR(left.quantiles.mean.value, right.quantiles.mean.value,
                1e-6 * right.quantiles.mean.value);
    left.quantiles.mean = right.quantiles.mean;
    EXPECT_EQ(left, right);
  }
  EXPECT_EQ(merged->errors, whole.errors);
  EXPECT_EQ(merged->bytes_out, 2'000U);
  EXPECT_EQ(merged->header.duration, seconds(20));
}

TEST(Merge, RunsAtTheSameTimeAddUpTheirRates) {
  Tally tally(2);
  count(tally, 0, 1'000);
  const auto rates = [&](int second_started) {
    const auto merged =
        merge(std::vector{result_of(tally, 0, 10), result_of(tally, second_started, 10)});
    return std::pair{*merged->rate_asked, merged->rate_achieved};
  };
  EXPECT_THAT(rates(0), testing::Pair(2'000, 196));  // 2 * 980 in 10 s
  EXPECT_THAT(rates(30), testing::Pair(1'000, 98));  // in 20 s, whatever lies between
  EXPECT_NEAR(rates(5).first, 20'000.0 / 15, 1e-6);
}

TEST(Merge, OneRunAfterAnotherKeepsTheRateToTheNanosecond) {
  Tally tally(2);
  count(tally, 0, 1'000);
  constexpr int seconds_until_2026 = 1'767'225'600;
  std::vector runs{result_of(tally, seconds_until_2026, 1),
                   result_of(tally, seconds_until_2026 + 2, 1)};
  for (auto& run : runs) run.header.duration += std::chrono::nanoseconds(123'457);
  EXPECT_EQ(*merge(runs)->rate_asked, 1'000);
}

TEST(Merge, AHistogramThatDoesNotHoldWhatWasCountedIsRefused) {
  Tally tally(2);
  count(tally, 0, 100);
  auto forged = result_of(tally, 0, 1);
  ++forged.corrected.quantiles.count;
  EXPECT_THAT(merge(std::vector{forged}).error().message, HasSubstr("where 99 were counted"));
}

TEST(Merge, CountsThatDoNotAddUpAreRefused) {
  Tally tally(2);
  count(tally, 0, 100);
  auto forged = result_of(tally, 0, 1);
  ++forged.operations[0].counts.planned;
  EXPECT_THAT(merge(std::vector{forged}).error().message, HasSubstr("query: planned is not"));
  forged = result_of(tally, 0, 1);
  ++forged.counts.planned;
  EXPECT_THAT(merge(std::vector{forged}).error().message, HasSubstr("are not those of the run"));
}

TEST(Merge, WhatTheClientOfOneCouldExplainStaysMarked) {
  Tally tally(2);
  count(tally, 0, 700);
  std::vector runs{result_of(tally, 0, 10), result_of(tally, 10, 10)};
  runs[1].corrected.quantiles.p999.by_client = true;
  const auto merged = merge(runs);
  ASSERT_TRUE(merged) << merged.error().message;
  EXPECT_TRUE(merged->corrected.quantiles.p999.by_client);
  EXPECT_FALSE(merged->corrected.quantiles.p99.by_client);
}

TEST(Merge, RunsOfDifferentKindsAreRefused) {
  Tally tally(2);
  count(tally, 0, 100);
  auto other = result_of(tally, 0, 1);
  other.header.dialect = "throttr-2.0";
  EXPECT_THAT(merge(std::vector{result_of(tally, 0, 1), other}).error().message,
              HasSubstr("1.json and 2.json are of different kinds"));
  EXPECT_FALSE(merge({}));
}

/// Whatever the transport.
TEST(Merge, WhatOraclesFoundIsAddedUp) {
  Tally tally(2);
  count(tally, 0, 700);
  std::vector runs{result_of(tally, 0, 10), result_of(tally, 10, 10)};
  runs[0].records = {.keys = 16, .requests = 100, .counters = 10};
  runs[1].records = {.keys = 16, .requests = 50, .violated = 1, .violations = {{"k", "why"}}};
  reports::DatagramLoad datagram;
  datagram.counts = {.planned = 10, .sent = 10, .received = 9, .lost = 1, .datagrams = 9};
  datagram.receive_buffer = 4096;
  for (auto& run : runs) run.datagram = datagram;
  runs[1].datagram->receive_buffer = 2048;
  runs[1].datagram->limits = reports::LimitChecks{.uses = 9, .over_admissions = 1};
  runs[0].store = reports::StoreLoad{{.allowed = 5, .denied = 1}, {.judged = 5}};
  runs[1].store = runs[0].store;
  const auto merged = merge(runs);
  ASSERT_TRUE(merged) << merged.error().message;
  EXPECT_EQ(merged->records->keys, 32U);
  EXPECT_EQ(merged->records->requests, 150U);
  EXPECT_EQ(merged->records->violated, 1U);
  EXPECT_EQ(merged->records->violations.size(), 1U);
  EXPECT_EQ(merged->datagram->counts.planned, 20U);
  EXPECT_EQ(merged->datagram->counts.lost, 2U);
  EXPECT_EQ(imbalance(merged->datagram->counts), "");
  EXPECT_EQ(merged->datagram->receive_buffer, 2048U);
  EXPECT_EQ(merged->datagram->limits->over_admissions, 1U);
  EXPECT_EQ(merged->store->counts.allowed, 10U);
  EXPECT_EQ(merged->store->admissions.judged, 10U);
  EXPECT_EQ(reports::exit_code(*merged), reports::ExitCode::failures);
}

/// Shares of a run of two, each of which misses the objective or meets it alone.
std::vector<reports::LoadResult> two_shares(std::uint64_t lost_of_first) {
  std::vector<reports::LoadResult> shares;
  for (std::uint64_t rank = 0; rank < 2; ++rank) {
    Tally tally(2);
    for (std::uint64_t i = 0; i < 1'000; ++i) {
      tally.parts[0].plan();
      if (rank == 0 && i < lost_of_first) {
        tally.lose(0, Failure::timeout, "late", {0, 0}, 200'000'000);
      } else {
        tally.parts[0].complete({0, 0}, 100'000);
      }
    }
    shares.push_back(result_of(tally, 0, 10));
    const auto objectives = reports::parse_objectives("errors<6%,p90<1ms").value();
    shares.back().objectives = reports::judge(objectives, shares.back());
    shares.back().run = reports::RunIdentity{.run = "night",
                                             .options = "0",
                                             .rank = rank,
                                             .of = 2,
                                             .begin = shares.back().header.started};
  }
  return shares;
}

TEST(Merge, ObjectivesAreJudgedOnTheSum) {
  const auto shares = two_shares(110);
  EXPECT_EQ(shares[0].objectives[0].met, reports::Met::no);
  EXPECT_EQ(shares[0].objectives[1].met, reports::Met::no);
  const auto merged = merge(shares);
  ASSERT_TRUE(merged) << merged.error().message;
  ASSERT_EQ(merged->objectives.size(), 2U);
  EXPECT_EQ(merged->objectives[0].met, reports::Met::yes);  // 5.5 %
  EXPECT_EQ(merged->objectives[1].met, reports::Met::yes);
  const auto worse = merge(two_shares(300));
  EXPECT_EQ(worse->objectives[0].met, reports::Met::no);
  EXPECT_EQ(worse->objectives[1].met, reports::Met::no);
  EXPECT_EQ(worse->objectives[1].shown, ">= 200 ms");
  EXPECT_EQ(reports::exit_code(*worse), reports::ExitCode::failures);
}

TEST(Merge, AllSharesAreTheWholeRunAndSomeAreInconclusive) {
  auto shares = two_shares(0);
  const auto whole = merge(shares);
  EXPECT_EQ(whole->run->run, "night");
  EXPECT_FALSE(whole->run->is_share());
  EXPECT_EQ(whole->inconclusive, "");
  shares.pop_back();
  const auto half = merge(shares);
  EXPECT_EQ(half->inconclusive, "1 of 2 shares are missing");
  EXPECT_EQ(reports::exit_code(*half), reports::ExitCode::indeterminate);
}

}  // namespace
}  // namespace hallmark::loadgen
