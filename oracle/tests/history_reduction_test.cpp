#include "oracle/history_reduction.hpp"

#include <gtest/gtest.h>

#include "oracle/tests/record_histories.hpp"

namespace hallmark::oracle::testing {
namespace {

using enum RecordAction;

/// Rounds that are fine: two clients at a time, and then one that reads.
RecordHistory fine_rounds(std::int64_t count) {
  RecordHistory history{at(1, 0, 1, succeeded(insert, 0))};
  for (std::int64_t i = 0; i < count; ++i) {
    const std::int64_t start = 10 + 100 * i;
    history.push_back(at(1, start, start + 8, succeeded(increase, 1)));
    history.push_back(at(2, start + 1, start + 9, succeeded(increase, 1)));
    history.push_back(at(3, start + 2, start + 7, failed(insert, 5)));
    history.push_back(
        at(4, start + 20, start + 30, told(query, static_cast<std::uint64_t>(2 * i + 2))));
  }
  return history;
}

TEST(HistoryReduction, LeavesWhatIsWrongAndWhatChangedTheRecordLast) {
  RecordHistory history = fine_rounds(20);
  RecordOperation& read = history[4 * 11];
  ASSERT_EQ(*read.told, 22U);
  read.told = 21;
  const LinearizabilityChecker checker({});
  const SmallHistory small = reduced(checker, history);
  EXPECT_EQ(small.of, history.size());
  ASSERT_EQ(small.operations.size(), 3U);
  EXPECT_EQ(small.operations[0].action, increase);
  EXPECT_EQ(small.operations[1].action, increase);
  EXPECT_EQ(small.operations[2].told, 21U);
  ASSERT_EQ(small.before.size(), 1U);
  EXPECT_EQ(small.before[0].content, 20U);
  EXPECT_EQ(small.finding.verdict, HistoryVerdict::violated);
}

TEST(HistoryReduction, KeepsAllThatTheViolationRestsOn) {
  const RecordHistory history{
      at(1, 0, 1, succeeded(insert, 7)),     at(5, 3, 9, told(query, 7)),
      at(1, 4, 20, succeeded(increase, 1)),  at(2, 5, 21, succeeded(increase, 1)),
      at(3, 6, 40, succeeded(decrease, 2)),  at(4, 7, 30, told(query, 8)),
      at(4, 22, 28, told(query, 20)),        at(5, 29, 35, told(query, 7)),
      at(1, 50, 60, succeeded(increase, 5)), at(1, 70, 80, told(query, 1))};
  const LinearizabilityChecker checker({});
  const SmallHistory small = reduced(checker, history);
  // The INSERT too, which says where the 7 comes from.
  ASSERT_EQ(small.operations.size(), 5U);
  EXPECT_EQ(small.operations[0].action, insert);
  EXPECT_EQ(small.operations[4].told, 20U);
  // It returned later: whether it took effect is open.
  EXPECT_FALSE(small.operations[3].returned());
  EXPECT_EQ(small.operations[3].action, decrease);
}

/// Reduces random violations. The small history is a violation, too, as trying every order shows,
/// and it needs every operation that reads or failed.
TEST(HistoryReduction, IsMinimal) {
  std::size_t reductions = 0;
  for (std::uint64_t seed = 0; seed < 1'000; ++seed) {
    std::mt19937_64 random(seed);
    const RecordHistory history = random_history(random, 7, 3, 2);
    const LinearizabilityChecker checker({});
    if (checker.check(history).verdict != HistoryVerdict::violated) continue;
    ++reductions;
    const SmallHistory small = reduced(checker, history);
    ASSERT_EQ(checker.check(small.operations, small.before).verdict, HistoryVerdict::violated);
    if (small.before == std::vector{RecordState{}}) {
      EXPECT_FALSE(some_order_fits(small.operations, {}, ClientOrder::as_sent)) << seed;
    }
    for (std::size_t i = 0; i < small.operations.size(); ++i) {
      if (!small.operations[i].changes_nothing()) continue;
      RecordHistory without = small.operations;
      without.erase(without.begin() + static_cast<std::ptrdiff_t>(i));
      EXPECT_EQ(checker.check(without, small.before).verdict, HistoryVerdict::linearizable) << seed;
    }
  }
  EXPECT_GT(reductions, 300U);
}

}  // namespace
}  // namespace hallmark::oracle::testing
