#include "loadgen/results/merge_series.hpp"

#include <gmock/gmock.h>

#include "loadgen/histogram/hdr_codec.hpp"

namespace hallmark::loadgen {
namespace {

using reports::LoadResult;
using reports::SecondSample;
using std::chrono::milliseconds;

/// A run with samples of so many seconds each, every one of which completes 10 requests in
/// `latency` ns per second.
LoadResult run_of(int began_ms, std::uint64_t samples, std::uint64_t length,
                  std::uint64_t latency) {
  LoadResult run;
  run.run.emplace().begin += milliseconds(began_ms);
  run.header.duration = std::chrono::seconds(samples * length);
  for (std::uint64_t i = 0; i < samples; ++i) {
    Histogram histogram;
    histogram.record(latency, 10 * length);
    SecondSample& sample = run.series.emplace_back();
    sample.second = i * length;
    sample.length_s = static_cast<double>(length);
    sample.sent = sample.completed = 10 * length;
    sample.p50 = sample.p99 = sample.max = latency;
    sample.histogram = encode_compressed_base64(histogram);
  }
  return run;
}

std::vector<std::uint64_t> completed(const std::vector<SecondSample>& series) {
  std::vector<std::uint64_t> counts;
  for (const SecondSample& one : series) counts.push_back(one.completed);
  return counts;
}

std::vector<std::uint64_t> seconds_in(const std::vector<SecondSample>& series) {
  std::vector<std::uint64_t> seconds;
  for (const SecondSample& one : series) seconds.push_back(one.second);
  return seconds;
}

using testing::ElementsAre;

TEST(MergedSeries, SecondsOfSimultaneousSharesAreAdded) {
  const auto series = merged_series(std::vector{run_of(0, 3, 1, 1'000), run_of(0, 3, 1, 2'000)});
  EXPECT_THAT(seconds_in(series), ElementsAre(0, 1, 2));
  EXPECT_THAT(completed(series), ElementsAre(20, 20, 20));
  for (const SecondSample& one : series) {
    EXPECT_EQ(one.length_s, 1);
    EXPECT_EQ(one.p50, reports::Quantile(1'000));
    EXPECT_EQ(one.max, reports::Quantile(2'000));
  }
}

TEST(MergedSeries, ARunThatBeganLaterIsAddedWhereItRan) {
  const auto series = merged_series(std::vector{run_of(2'010, 2, 1, 1), run_of(0, 3, 1, 1)});
  EXPECT_THAT(seconds_in(series), ElementsAre(0, 1, 2, 3));
  EXPECT_THAT(completed(series), ElementsAre(10, 10, 20, 10));
}

TEST(MergedSeries, RunsOneAfterTheOtherFollowEachOther) {
  const auto series = merged_series(std::vector{run_of(0, 2, 1, 1), run_of(60'000, 2, 1, 1)});
  EXPECT_THAT(seconds_in(series), ElementsAre(0, 1, 2, 3));
  EXPECT_THAT(completed(series), ElementsAre(10, 10, 10, 10));
}

TEST(MergedSeries, SamplesOfALongRunHaveTheLengthOfTheLongest) {
  const auto series = merged_series(std::vector{run_of(0, 4, 1, 1), run_of(0, 2, 2, 1)});
  EXPECT_THAT(seconds_in(series), ElementsAre(0, 2));
  EXPECT_THAT(completed(series), ElementsAre(40, 40));
  EXPECT_EQ(series[0].length_s, 2);
}

}  // namespace
}  // namespace hallmark::loadgen
