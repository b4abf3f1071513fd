// The part of a quantile that the client itself accounts for: measured under a simulated clock, and
// held against what the quantiles would have been without the client's delays.

#include <gmock/gmock.h>

#include "loadgen/results/merge.hpp"
#include "loadgen/results/summary.hpp"
#include "loadgen/tests/connection_bench.hpp"
#include "reports/terminal_report.hpp"

namespace hallmark::loadgen {
namespace {

constexpr double quantiles_of_reports[] = {0.5, 0.9, 0.99, 0.999, 0.9999, 1.0};

/// The delays that one request meets, nanoseconds.
struct Fate {
  std::int64_t lag = 0;      ///< it was sent so much later than planned
  std::int64_t target = 0;   ///< the target took so long
  std::int64_t reading = 0;  ///< its reply lay unread so long
};

/// A connection on which one request after the other is sent and answered.
class ClientPart : public testing::Test {
 protected:
  ClientPart() {
    bench_.connection = Connection{{.requests = &bench_.requests, .timeout_ns = 100'000'000}};
  }

  void play(const Fate& fate) {
    ASSERT_TRUE(bench_.connection.request({index_++, now_}, bench_.tally));
    const std::int64_t sent = now_ + fate.lag;
    bench_.connection.stamp(sent, false, bench_.tally);
    bench_.connection.sent(bench_.connection.unsent().size());
    const std::int64_t came = sent + fate.target;
    ASSERT_TRUE(bench_.connection.receive(reply_, {came + fate.reading, came}, bench_.tally));
    now_ += 1'000'000'000;
    with_.push_back(static_cast<std::uint64_t>(fate.lag + fate.target + fate.reading));
    without_.push_back(static_cast<std::uint64_t>(fate.target));
  }

  const CensoredHistogram& corrected() const { return bench_.tally.parts[0].corrected(); }

  /// Each quantile less its part is the quantile of a client without delays: as far as buckets
  /// tell, and parts of less than one in 128.
  void expect_exact_parts() {
    std::ranges::sort(with_);
    std::ranges::sort(without_);
    for (const double q : quantiles_of_reports) {
      const std::uint64_t rank = Histogram::rank_of(q, with_.size());
      const auto exact = static_cast<double>(with_[rank - 1] - without_[rank - 1]);
      const double known_to = static_cast<double>(with_[rank - 1]) * (1.0 / 128 + 1.0 / 500);
      const reports::Quantile told = corrected().quantile(q);
      EXPECT_NEAR(static_cast<double>(told.client_part), exact, known_to) << q;
      EXPECT_EQ(told.by_client, told.client_part > told.value / 10) << q;
    }
  }

  std::mt19937_64 random_{11};
  std::vector<std::uint64_t> with_;
  std::vector<std::uint64_t> without_;
  Bench bench_{"query=1"};

 private:
  std::uint64_t index_ = 0;
  std::int64_t now_ = 1'000;
  Bytes reply_ = reply_to("query", bench_.workload);
};

TEST_F(ClientPart, OfALagThatBefellSomeRequestsIsInTheQuantilesThatTheyArePartOf) {
  constexpr std::int64_t lag = 3'000;
  constexpr std::int64_t target = 20'000;
  for (int i = 0; i < 1'000; ++i) play({.lag = i % 50 == 0 ? lag : 0, .target = target});
  for (const double q : {0.5, 0.9, 0.98}) {
    EXPECT_EQ(corrected().quantile(q).client_part, 0U) << q;
    EXPECT_FALSE(corrected().quantile(q).by_client) << q;
  }
  for (const double q : {0.981, 0.99, 0.999, 1.0}) {
    EXPECT_NEAR(static_cast<double>(corrected().quantile(q).client_part), lag, target / 500.0) << q;
    EXPECT_TRUE(corrected().quantile(q).by_client) << q;
  }
  EXPECT_NEAR(corrected().mean().client_part, lag / 50.0, 1e-6);
}

TEST_F(ClientPart, OfLessThanATenthIsToldAndNotMarked) {
  for (int i = 0; i < 100; ++i) play({.target = 100'000, .reading = i == 0 ? 5'000 : 0});
  EXPECT_NEAR(static_cast<double>(corrected().max().client_part), 5'000, 200);
  EXPECT_FALSE(corrected().max().by_client);
}

TEST_F(ClientPart, OfARequestBehindOthersThatWereAsSlowIsNone) {
  for (int i = 0; i < 10; ++i) play({.lag = i < 5 ? 40'000 : 0, .target = i < 5 ? 10'000 : 50'000});
  EXPECT_EQ(corrected().max().client_part, 0U);
}

TEST_F(ClientPart, IsWhatTheQuantileWouldBeLowerBy) {
  for (const std::uint64_t delayed_of_100 : {1U, 10U, 60U}) {
    for (const std::int64_t largest : {500, 20'000, 2'000'000}) {
      SCOPED_TRACE(testing::Message() << delayed_of_100 << " of 100 by " << largest);
      for (int i = 0; i < 400; ++i) {
        Fate fate{.target = 10'000 + static_cast<std::int64_t>(random_() % 90'000)};
        if (random_() % 100 < delayed_of_100) {
          fate.lag = static_cast<std::int64_t>(random_() % static_cast<std::uint64_t>(largest));
          fate.reading = largest - fate.lag;
        }
        play(fate);
      }
      expect_exact_parts();
      bench_.tally.reset();
      with_.clear();
      without_.clear();
    }
  }
}

/// The requests of a run, dealt to two results, and merged from what their files say.
TEST_F(ClientPart, IsThatOfOneRunAfterAMerge) {
  const std::vector<std::string> names{"query"};
  const auto told = [&](const Tally& tally, int started_s) {
    reports::LoadResult result;
    result.header.started = reports::RunHeader{}.started + std::chrono::seconds(started_s);
    result.header.duration = std::chrono::seconds(1);
    summarise(tally, names, result);
    return result;
  };
  std::vector<reports::LoadResult> runs;
  Tally both(1);
  for (int run = 0; run < 2; ++run) {
    // Every request of the second run was delayed, so that its median is all the client's.
    for (int i = 0; i < 200; ++i) play({.lag = run == 1 ? 30'000 : 0, .target = 10'000 + 100 * i});
    both.add(bench_.tally);
    runs.push_back(told(bench_.tally, 1'000'000 + run));
    bench_.tally.reset();
  }
  ASSERT_TRUE(runs[1].corrected.client_delayed);
  const std::vector<std::string> files{"1.json", "2.json"};
  const auto merged = merge(runs, files);
  ASSERT_TRUE(merged) << merged.error().message;
  const auto& whole = told(both, 0).corrected.quantiles;
  const auto& sum = merged->corrected.quantiles;
  EXPECT_GT(whole.p99.client_part, 10'000U);
  const auto part = [](const reports::Quantile& one) {
    return static_cast<double>(one.client_part);
  };
  EXPECT_NEAR(part(sum.p99), part(whole.p99), 400);
  EXPECT_NEAR(part(sum.max), part(whole.max), 400);
  EXPECT_GE(sum.p50.client_part, runs[1].corrected.quantiles.p50.client_part)
      << "what the client accounts for in one run it may account for in the sum";
}

TEST_F(ClientPart, IsShownBelowTheQuantiles) {
  for (int i = 0; i < 100; ++i) play({.lag = i == 0 ? 2'000'000 : 0, .target = 3'000'000});
  reports::LoadResult result;
  const std::vector<std::string> names{"query"};
  summarise(bench_.tally, names, result);
  const std::string shown = reports::render_terminal(result, {});
  EXPECT_THAT(shown, testing::ContainsRegex(
                         "of it the client's +· +20.0 µs +· +· +· +2.00 ms +2.00 ms +2.00 ms\n"));
  bench_.tally.reset();
  play({.target = 3'000'000});
  reports::LoadResult undelayed;
  summarise(bench_.tally, names, undelayed);
  EXPECT_THAT(reports::render_terminal(undelayed, {}),
              testing::Not(testing::HasSubstr("the client's")));
}

}  // namespace
}  // namespace hallmark::loadgen
