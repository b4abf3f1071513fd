#include "loadgen/histogram/second_log.hpp"

#include <gtest/gtest.h>

#include "loadgen/histogram/hdr_codec.hpp"
#include "loadgen/results/summary.hpp"

namespace hallmark::loadgen {
namespace {

class Seconds : public testing::Test {
 protected:
  /// In each second `completed` requests, of so much latency that seconds can be told apart.
  void pass(std::uint64_t seconds, std::uint64_t completed) {
    for (std::uint64_t i = 0; i < seconds; ++i) {
      auto tally = pool_.take();
      tally->sent = completed;
      tally->parts[0].counts.planned = tally->parts[0].counts.completed = completed;
      for (std::uint64_t n = 0; n < completed; ++n) tally->parts[0].corrected.record(1 + next_);
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
  EXPECT_LE(samples.size(), SecondLog::most_samples);
  EXPECT_GT(samples.size(), SecondLog::most_samples / 2);
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

TEST_F(Seconds, AreHiddenTogether) {
  reports::SecondSample known{.second = 0, .completed = 1, .p50 = 5, .p99 = 5, .max = 5};
  reports::SecondSample hidden{.second = 1, .completed = 1, .p50 = 7, .p99 = {}, .max = {}};
  Histogram latency;
  latency.record(5);
  known.histogram = hidden.histogram = encode_compressed_base64(latency);
  const auto both = together(known, hidden);
  EXPECT_TRUE(both.p50);
  EXPECT_FALSE(both.p99);
  EXPECT_FALSE(both.max);
  EXPECT_EQ(both.completed, 2U);
  EXPECT_EQ(both.length_s, 2);
}

}  // namespace
}  // namespace hallmark::loadgen
