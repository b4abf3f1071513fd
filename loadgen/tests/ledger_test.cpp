#include "loadgen/results/ledger.hpp"

#include <gmock/gmock.h>

#include <deque>
#include <random>

#include "loadgen/tests/connection_bench.hpp"
#include "loadgen/tests/exact_ledger.hpp"

namespace hallmark::loadgen {
namespace {

TEST(Ledger, a_request_ends_in_one_count_and_one_latency) {
  Ledger ledger;
  ledger.plan(3);
  ledger.complete({100, 150}, 400);
  ledger.lose(Failure::timeout, {100, 200}, 1'100);
  ledger.lose(Failure::late, {.planned_ns = 100}, 300);
  EXPECT_EQ(ledger.counts(), (reports::LoadCounts{3, 1, 1, 1, 0}));
  EXPECT_EQ(ledger.corrected().known().max(), 300U);
  EXPECT_EQ(ledger.corrected().waits().min(), 200U);
  EXPECT_EQ(ledger.corrected().waits().max(), 1'000U);
  EXPECT_EQ(ledger.uncorrected().known().max(), 250U);
  EXPECT_EQ(ledger.uncorrected().waits().count(), 1U) << "the other was never sent";
}

TEST(Ledger, a_request_that_failed_has_no_reply_by_its_timeout_either) {
  EXPECT_EQ(waited_until(Failure::reset, 100, 1'000, 300), 1'100);
  EXPECT_EQ(waited_until(Failure::late, 100, 1'000, 300), 300);
  EXPECT_EQ(waited_until(Failure::timeout, 100, 1'000, 1'300), 1'100);
  EXPECT_EQ(waited_until(Failure::reset, 100, INT64_MAX, 300), 300) << "there is no timeout";
}

TEST(Ledger, in_a_closed_loop_a_request_that_is_not_sent_counts_from_its_plan) {
  Ledger ledger(false);
  ledger.plan();
  ledger.lose(Failure::no_connection, {.planned_ns = 100}, 300);
  EXPECT_EQ(&ledger.corrected(), &ledger.uncorrected());
  EXPECT_EQ(ledger.uncorrected().waits().max(), 200U);
}

TEST(Ledger, a_reply_after_the_last_plan_is_drained) {
  Ledger ledger;
  ledger.plan(3);
  ledger.plan_until(1'000);
  ledger.complete({0, 0}, 1'000);
  ledger.complete({0, 0}, 1'001, 2);
  EXPECT_EQ(ledger.counts().completed, 3U);
  EXPECT_EQ(ledger.drained(), 2U);
  ledger.reset();
  ledger.complete({0, 0}, 5'000);
  EXPECT_EQ(ledger.drained(), 0U);
}

TEST(Ledger, a_third_without_a_reply_hides_the_quantiles_above_two_thirds) {
  Ledger ledger;
  ledger.plan(8'000);
  ledger.complete({0, 0}, 220'000, 5'210);
  for (int i = 0; i < 2'790; ++i) ledger.lose(Failure::timeout, {0, 0}, 200'000'000);
  const CensoredHistogram& latency = ledger.corrected();
  EXPECT_EQ(latency.quantile(0.5), 220'000U);
  EXPECT_EQ(latency.quantile(0.9), (reports::Quantile{200'000'000, true}));
  EXPECT_EQ(reports::text_of(latency.quantile(0.9)), ">= 200 ms");
}

/// A stream under simulated time: replies are delayed, lost with their connection or never come,
/// the target stalls, and what is due without a connection is not sent.
class StreamRun {
 public:
  explicit StreamRun(unsigned seed) : random_(seed) {
    exact_.plans_end_ns = 400 * 20'000;
    bench_.tally.plan_until(exact_.plans_end_ns);
  }

  void play() {
    for (int i = 0; i < 500; ++i) step();
    for (const Sent& one : waiting_) expire(one, now_);
    bench_.connection.expire_all(now_, bench_.tally);
    bench_.connection.lose(Failure::abandoned, {}, now_, bench_.tally);
    exact_.expect_in(bench_.tally.parts[0]);
  }

 private:
  struct Sent {
    std::int64_t planned_ns;
    std::optional<std::int64_t> sent_ns;
    bool expired = false;
  };

  std::int64_t below(std::int64_t bound) {
    return static_cast<std::int64_t>(random_() % static_cast<std::uint64_t>(bound));
  }

  void step() {
    now_ += below(40'000);
    switch (below(12)) {
      case 0: connected_ = true; break;
      case 1: return below(4) == 0 ? lose() : void();
      case 2: return expire_due();
      case 3:
      case 4: return write();
      case 5:
      case 6: return read(static_cast<std::size_t>(below(6)));
      default: return plan();
    }
  }

  void plan() {
    const Outgoing due{index_++, std::max<std::int64_t>(0, now_ - below(5'000)), true};
    ++exact_.counts.planned;
    if (connected_) {
      ASSERT_TRUE(bench_.connection.request(due, bench_.tally));
      waiting_.push_back({due.planned_ns, std::nullopt});
    } else {
      bench_.connection.not_sent(due, Failure::no_connection, now_, bench_.tally);
      exact_.lose(&reports::LoadCounts::failed, due.planned_ns, std::nullopt,
                  due.planned_ns + timeout_ns);
    }
  }
  void write() {
    bench_.connection.stamp(now_, false, bench_.tally);
    bench_.connection.sent(bench_.connection.unsent().size());
    for (Sent& one : waiting_) {
      if (!one.sent_ns) one.sent_ns = now_;
    }
  }
  void read(std::size_t replies) {
    // A reply is late from its timeout on, whether or not anything looked at the time before.
    if (replies != 0 && !waiting_.empty() && waiting_.front().sent_ns) expire_in_model();
    for (; replies != 0 && !waiting_.empty() && waiting_.front().sent_ns; --replies) {
      const Sent& one = waiting_.front();
      ASSERT_TRUE(bench_.connection.receive(reply_, {now_}, bench_.tally));
      if (!one.expired) exact_.complete(one.planned_ns, *one.sent_ns, now_);
      waiting_.pop_front();
    }
  }
  void expire(const Sent& one, std::int64_t until_ns) {
    if (one.expired) return;
    exact_.lose(&reports::LoadCounts::timed_out, one.planned_ns, one.sent_ns,
                std::min(until_ns, one.planned_ns + timeout_ns));
  }
  void expire_due() {
    bench_.connection.expire(now_, bench_.tally);
    expire_in_model();
  }
  void expire_in_model() {
    for (Sent& one : waiting_) {
      if (one.planned_ns + timeout_ns > now_) break;  // as the connection does: in their order
      expire(one, now_);
      one.expired = true;
    }
  }
  void lose() {
    bench_.connection.lose(Failure::reset, {}, now_, bench_.tally);
    for (const Sent& one : waiting_) {
      if (!one.expired)
        exact_.lose(&reports::LoadCounts::failed, one.planned_ns, one.sent_ns,
                    one.planned_ns + timeout_ns);
    }
    waiting_.clear();
    connected_ = false;
  }

  std::mt19937_64 random_;
  Bench bench_{"query=1"};
  Bytes reply_ = reply_to("query", bench_.workload);
  ExactLedger exact_;
  std::deque<Sent> waiting_;
  std::int64_t now_ = 0;
  std::uint64_t index_ = 0;
  bool connected_ = true;
};

TEST(Ledger, of_a_stream_agrees_with_an_exact_one_whatever_happens) {
  for (unsigned seed = 1; seed <= 60; ++seed) {
    SCOPED_TRACE(seed);
    StreamRun(seed).play();
  }
}

/// The sum of many ledgers is the ledger of all: seconds, threads and processes.
TEST(Ledger, a_sum_agrees_with_an_exact_one) {
  std::mt19937_64 random{11};
  for (int round = 0; round < 40; ++round) {
    SCOPED_TRACE(round);
    ExactLedger exact;
    Ledger parts[3];
    const auto draw = [&](std::int64_t below) {
      return static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(below));
    };
    const std::int64_t lost = draw(100);  // percent, from none to all
    for (int i = 0; i < 300; ++i) {
      const std::int64_t planned = draw(1'000'000);
      const std::int64_t sent = planned + draw(1'000);
      const std::int64_t end = sent + (std::int64_t{1} << draw(30)) + draw(1'000);
      Ledger& part = parts[draw(3)];
      part.plan();
      ++exact.counts.planned;
      if (draw(100) >= lost) {
        part.complete({planned, sent}, end);
        exact.complete(planned, sent, end);
      } else {
        part.lose(Failure::closed, {planned, sent}, end);
        exact.lose(&reports::LoadCounts::failed, planned, sent, end);
      }
    }
    Ledger sum;
    for (const Ledger& part : parts) sum.add(part);
    exact.expect_in(sum);
  }
}

}  // namespace
}  // namespace hallmark::loadgen
