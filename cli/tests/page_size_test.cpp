#include "cli/html/page_size.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "loadgen/histogram/hdr_codec.hpp"

namespace hallmark::cli {
namespace {

reports::LoadResult load_of(std::size_t seconds) {
  loadgen::Histogram histogram;
  for (std::uint64_t value = 1; value < 4000; value += 3) histogram.record(value * value);
  const std::string encoded = loadgen::encode_compressed_base64(histogram);
  reports::LoadResult result;
  result.operations.resize(1);
  result.operations[0].corrected.histogram = encoded;
  for (std::size_t i = 0; i < seconds; ++i) {
    auto& second = result.series.emplace_back();
    second.second = i;
    second.histogram = encoded;
  }
  return result;
}

reports::CertifyResult certify_of(std::size_t failures) {
  reports::CertifyResult result;
  for (std::size_t i = 0; i < failures; ++i) {
    auto& one = result.cases.emplace_back();
    one.id = "case-" + std::to_string(i);
    one.verdict = reports::Verdict::fail;
    one.evidence.emplace_back().bytes.resize(1000);
  }
  result.findings.emplace_back().shown_by = result.cases.back().id;
  return result;
}

TEST(PageSize, leaves_a_short_run) {
  const auto result = load_of(3);
  const auto slim = slim_for_page(result);
  EXPECT_EQ(slim.result, result);
  EXPECT_EQ(slim.note, "");
}

TEST(PageSize, keeps_coarse_histograms_of_many_seconds) {
  const auto result = load_of(1000);
  const auto slim = slim_for_page(result);
  EXPECT_LT(slim.result.series[0].histogram.size(), result.series[0].histogram.size() / 2);
  EXPECT_EQ(slim.result.series[7].second, 7U);
  EXPECT_EQ(slim.result.operations[0].corrected.histogram, "");
  EXPECT_EQ(slim.note, "Latency over time is drawn from histograms in steps of 6 %.");
}

TEST(PageSize, shares_the_page_among_its_results) {
  const auto result = load_of(70);
  EXPECT_EQ(slim_for_page(result).result, result);
  const auto slim = slim_for_page(result, 11);
  EXPECT_LT(slim.result.series[0].histogram.size(), result.series[0].histogram.size() / 2);
  EXPECT_EQ(slim.result.corrected.histogram, result.corrected.histogram);
}

TEST(PageSize, makes_samples_longer_where_many_runs_share_the_page) {
  auto result = load_of(600);
  for (auto& second : result.series) second.completed = 3;
  const auto slim = slim_for_page(result, 8);
  const auto& series = slim.result.series;
  ASSERT_EQ(series.size(), 75U);
  EXPECT_EQ(series[1].second, 8U);
  EXPECT_EQ(series[1].length_s, 8);
  EXPECT_EQ(series[1].completed, 24U);
  EXPECT_THAT(slim.note, testing::EndsWith(" Over time, 8 s are one row."));
}

TEST(PageSize, draws_the_curves_of_very_many_runs_in_steps) {
  auto result = load_of(1);
  result.corrected = result.operations[0].corrected;
  const auto slim = slim_for_page(result, 10'000);
  EXPECT_LT(slim.result.corrected.histogram.size(), result.corrected.histogram.size() / 2);
  EXPECT_EQ(slim.result.corrected.quantiles, result.corrected.quantiles);
  EXPECT_EQ(slim.note,
            "Latency by quantile and over time is drawn from histograms in steps of 6 %.");
}

TEST(PageSize, leaves_a_few_failures) {
  const auto result = certify_of(3);
  std::size_t left = most_evidence_bytes;
  EXPECT_EQ(slim_for_page(result, left).result, result);
}

TEST(PageSize, keeps_the_bytes_of_findings_and_of_as_many_failures_as_fit) {
  std::size_t left = 4200;
  const auto slim = slim_for_page(certify_of(10), left);
  EXPECT_EQ(left, 0U);
  EXPECT_FALSE(slim.result.cases[1].evidence.empty());
  EXPECT_TRUE(slim.result.cases[2].evidence.empty());
  EXPECT_FALSE(slim.result.cases[9].evidence.empty());  // a finding is shown by it
  EXPECT_EQ(slim.note, "The bytes of 7 cases are left out of this page; --json has them.");
}

TEST(PageSize, keeps_the_bytes_of_failures_rather_than_those_of_readings) {
  auto result = certify_of(3);
  result.cases[0].verdict = reports::Verdict::pass;
  std::size_t left = 2200;
  const auto slim = slim_for_page(result, left);
  EXPECT_TRUE(slim.result.cases[0].evidence.empty());
  EXPECT_FALSE(slim.result.cases[1].evidence.empty());
}

}  // namespace
}  // namespace hallmark::cli
