#pragma once
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <random>
#include <vector>

#include "loadgen/results/tally.hpp"

namespace hallmark::loadgen {

/// Every latency and every wait of a ledger, one by one.
class ExactLatencies {
 public:
  void record(std::int64_t from_ns, std::int64_t to_ns) {
    known_.push_back(elapsed(from_ns, to_ns));
  }
  void record_longer(std::int64_t from_ns, std::int64_t to_ns) {
    waits_.push_back(elapsed(from_ns, to_ns));
  }

  /// Expects the same quantiles of the histogram, as far as its buckets tell.
  void expect_in(const CensoredHistogram& histogram) {
    ASSERT_EQ(histogram.known().count(), known_.size());
    ASSERT_EQ(histogram.waits().count(), waits_.size());
    if (histogram.empty()) return;
    auto lower = known_;
    lower.insert(lower.end(), waits_.begin(), waits_.end());
    std::ranges::sort(lower);
    std::ranges::sort(known_);
    for (const double q : {0.001, 0.1, 0.25, 0.5, 0.75, 0.9, 0.99, 0.999, 0.9999, 1.0}) {
      const std::uint64_t rank = Histogram::rank_of(q, lower.size());
      const std::uint64_t least = lower[rank - 1];
      const bool finite = rank <= known_.size();
      const bool known = finite && bucket(known_[rank - 1]) == bucket(least);
      const reports::Quantile told = histogram.quantile(q);
      EXPECT_EQ(told.at_least, !known) << q;
      EXPECT_EQ(bucket(told.value), bucket(least)) << q;
    }
    EXPECT_EQ(histogram.max(), (reports::Quantile{lower.back(), !waits_.empty()}));
    double sum = 0;
    for (const std::uint64_t one : lower) sum += static_cast<double>(one);
    EXPECT_DOUBLE_EQ(histogram.mean().value, sum / static_cast<double>(lower.size()));
    EXPECT_EQ(histogram.mean().at_least, !waits_.empty());
  }

 private:
  static std::uint64_t elapsed(std::int64_t from_ns, std::int64_t to_ns) {
    return static_cast<std::uint64_t>(std::max<std::int64_t>(0, to_ns - from_ns));
  }
  static std::size_t bucket(std::uint64_t value) { return Histogram::index_of(value); }

  std::vector<std::uint64_t> known_;
  std::vector<std::uint64_t> waits_;
};

/// A model of a ledger that keeps every request.
struct ExactLedger {
  reports::LoadCounts counts;
  std::uint64_t drained = 0;
  std::int64_t plans_end_ns = INT64_MAX;
  ExactLatencies corrected;
  ExactLatencies uncorrected;

  void complete(std::int64_t planned_ns, std::int64_t sent_ns, std::int64_t read_ns) {
    ++counts.completed;
    if (read_ns > plans_end_ns) ++drained;
    corrected.record(planned_ns, read_ns);
    uncorrected.record(sent_ns, read_ns);
  }
  /// `sent_ns`: nothing if it was never sent.
  void lose(std::uint64_t reports::LoadCounts::*count, std::int64_t planned_ns,
            std::optional<std::int64_t> sent_ns, std::int64_t until_ns) {
    ++(counts.*count);
    corrected.record_longer(planned_ns, until_ns);
    if (sent_ns) uncorrected.record_longer(*sent_ns, until_ns);
  }

  void expect_in(const Ledger& ledger) {
    EXPECT_TRUE(ledger.counts().balanced());
    EXPECT_EQ(ledger.counts(), counts);
    EXPECT_EQ(ledger.drained(), drained);
    corrected.expect_in(ledger.corrected());
    uncorrected.expect_in(ledger.uncorrected());
  }
};

/// A ledger of one part under simulated time, and the exact one that it has to agree with.
class LedgerHeldToAnExactOne : public testing::Test {
 protected:
  static constexpr std::int64_t timeout_ns = 1'000;

  /// A number from 0 to `bound` - 1, the same in every run of the test.
  std::int64_t below(std::int64_t bound) {
    return static_cast<std::int64_t>(random_() % static_cast<std::uint64_t>(bound));
  }
  void plan_until(std::int64_t end_ns) {
    exact_.plans_end_ns = end_ns;
    tally_.plan_until(end_ns);
  }
  /// Both ledgers agree, and requests ended in every way that there is.
  void expect_agreement() {
    exact_.expect_in(tally_.parts[0]);
    for (const auto count : {exact_.counts.completed, exact_.counts.timed_out, exact_.counts.shed,
                             exact_.counts.failed, exact_.drained})
      EXPECT_GT(count, 0U);
  }

  Tally tally_{1};
  ExactLedger exact_;
  std::mt19937_64 random_{8};
};

}  // namespace hallmark::loadgen
