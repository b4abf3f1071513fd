#include "loadgen/histogram/second_log.hpp"

#include <gtest/gtest.h>

#include <map>
#include <sstream>

#include "loadgen/histogram/hdr_codec.hpp"
#include "loadgen/results/summary.hpp"

namespace hallmark::loadgen {
namespace {

class Seconds : public testing::Test {
 protected:
  /// Passes seconds with `completed` requests each. Their latency differs from second to second, so
  /// that seconds can be told apart.
  void pass(std::uint64_t seconds, std::uint64_t completed) {
    for (std::uint64_t i = 0; i < seconds; ++i) {
      auto tally = pool_.take();
      tally->sent = completed;
      const auto latency = static_cast<std::int64_t>(1 + next_);
      tally->parts[0].plan(completed);
      tally->parts[0].complete({0, 0}, latency, completed);
      log_.report(static_cast<std::int64_t>(next_++), std::move(tally), false);
    }
  }

  TallyPool pool_{1, 2};
  LoadOutputs outputs_;
  SecondLog log_{{"query"}, pool_, outputs_, true, 1, {}};
  std::uint64_t next_ = 0;
};

TEST_F(Seconds, HaveASampleEach) {
  pass(100, 3);
  ASSERT_EQ(log_.samples().size(), 100U);
  EXPECT_EQ(log_.samples()[40].second, 40U);
  EXPECT_EQ(log_.samples()[40].completed, 3U);
  EXPECT_EQ(log_.samples()[40].p99, 41U);
}

/// A day takes no more memory than an hour, and nothing is lost but where within its sample it was.
TEST_F(Seconds, OfALongRunShareTheirSamples) {
  constexpr std::uint64_t seconds = 4'000;
  pass(seconds, 2);
  const auto& samples = log_.samples();
  EXPECT_LE(samples.size(), SampleSeries::most_samples);
  EXPECT_GT(samples.size(), SampleSeries::most_samples / 2);
  std::uint64_t completed = 0;
  std::uint64_t kept = 0;
  double length = 0;
  for (const reports::SecondSample& sample : samples) {
    EXPECT_EQ(static_cast<double>(sample.second), length);
    completed += sample.completed;
    kept += decode_compressed_base64(sample.histogram).value().count();
    length += sample.length_s;
  }
  EXPECT_EQ(completed, 2 * seconds);
  EXPECT_EQ(kept, 2 * seconds);
  EXPECT_EQ(length, static_cast<double>(seconds));
}

TEST_F(Seconds, TogetherKnowWhatBothKnow) {
  Tally first{1};
  Tally second{1};
  for (Tally* tally : {&first, &second}) {
    tally->parts[0].plan(10);
    tally->parts[0].complete({0, 0}, 5, 9);
    tally->plan_until(4);
  }
  first.parts[0].complete({0, 0}, 5);
  second.lose(0, Failure::timeout, {}, {0, 0}, 1'000);
  first.reconnects = 1;
  second.reconnects = 2;
  const auto both = together(sample_of(first, 0, 1), sample_of(second, 1, 1));
  EXPECT_EQ(both.p50, 5U);
  EXPECT_EQ(both.p99, (reports::Quantile{1'000, true}));
  EXPECT_EQ(both.max, (reports::Quantile{1'000, true}));
  EXPECT_EQ(both.completed, 19U);
  EXPECT_EQ(both.drained, 1U);
  EXPECT_EQ(both.reconnects, 3U);
  EXPECT_EQ(both.length_s, 2);
}

TEST_F(Seconds, LogRequestsWithoutAReplyUnderATagOfTheirOwn) {
  std::string text;
  outputs_.interval_log = [&](std::string_view lines) { text += lines; };
  SecondLog log{{"query"}, pool_, outputs_, true, 1, {}};
  auto tally = pool_.take();
  tally->parts[0].plan(3);
  tally->parts[0].complete({0, 40}, 100);
  tally->lose(0, Failure::timeout, {}, {0, 50}, 1'000);
  tally->lose(0, Failure::no_connection, {}, {}, 70);
  log.report(0, std::move(tally), false);
  std::istringstream in(text);
  std::map<std::string, Histogram> by_tag;
  for (const LoggedInterval& one : read_interval_log(in).value().intervals)
    by_tag[one.tag].add(one.histogram);
  ASSERT_EQ(by_tag.size(), 4U) << text;
  EXPECT_EQ(by_tag["query"].count(), 1U);
  EXPECT_EQ(by_tag["query.unanswered"].count(), 2U);
  EXPECT_EQ(by_tag["query.service"].max(), 60U);
  EXPECT_EQ(by_tag["query.service.unanswered"].max(), 950U);
}

}  // namespace
}  // namespace hallmark::loadgen
