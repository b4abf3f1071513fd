#include "oracle/history_stream.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "oracle/tests/record_histories.hpp"

namespace hallmark::oracle::testing {
namespace {

using enum RecordAction;

/// Adds a history as a run tells it: from time to time, the operations that have ended, with the
/// time before which nothing is missing.
HistoryStream streamed(const LinearizabilityChecker& checker, const RecordHistory& history,
                       std::int64_t step_ns) {
  HistoryStream stream(checker, {RecordState{}});
  std::int64_t last = 0;
  for (const RecordOperation& one : history)
    if (one.returned()) last = std::max(last, one.returned_ns);
  for (std::int64_t now = 0; now <= last; now += step_ns) {
    std::int64_t complete = now + step_ns;
    for (const RecordOperation& one : history) {
      if (one.returned_ns >= now && one.returned_ns < now + step_ns) stream.add(one);
      if (one.invoked_ns < now + step_ns && one.returned_ns >= now + step_ns)
        complete = std::min(complete, one.invoked_ns);
    }
    stream.judge(complete);
  }
  for (const RecordOperation& one : history)
    if (!one.returned()) stream.add(one);
  stream.finish();
  return stream;
}

TEST(HistoryStream, ComesToWhatTheWholeHistoryComesTo) {
  std::mt19937_64 random(7);
  std::size_t violated = 0;
  for (std::size_t round = 0; round < 400; ++round) {
    const auto history = round % 2 == 0 ? random_history(random, 40, 3, round % 4)
                                        : random_ending_history(random, 40, 3, round % 4);
    // Operations that are told once they have ended are not told in the order of sending.
    const LinearizabilityChecker checker({}, ClientOrder::any);
    const auto whole = checker.check(history).verdict;
    violated += whole == HistoryVerdict::violated ? 1 : 0;
    for (const std::int64_t step : {7, 60, 100'000})
      ASSERT_EQ(streamed(checker, history, step).verdict(), whole) << round << " by " << step;
  }
  EXPECT_GE(violated, 50U);
}

TEST(HistoryStream, KeepsNothingOfWhatRests) {
  const LinearizabilityChecker checker({});
  HistoryStream stream(checker, {RecordState{}});
  stream.add(at(1, 0, 1, succeeded(insert, 5)));
  for (std::int64_t i = 1; i < 100; ++i) {
    stream.add(at(1, 10 * i, 10 * i + 5, succeeded(increase, 1)));
    stream.add(at(2, 10 * i, 10 * i + 5, succeeded(decrease, 1)));
    EXPECT_EQ(stream.judge(10 * i + 6), i == 1 ? 3U : 2U);
    EXPECT_TRUE(stream.waiting().empty());
  }
  stream.add(at(1, 2000, 2001, told(query, 5)));
  EXPECT_EQ(stream.finish(), 1U);
  EXPECT_EQ(stream.verdict(), HistoryVerdict::linearizable);
}

/// The violation includes what changed the record last, though that was judged long ago.
TEST(HistoryStream, ShowsAViolationFromTheLastTimeOfRest) {
  const LinearizabilityChecker checker({});
  HistoryStream stream(checker, {RecordState{RecordState::Kind::counter, 40}});
  stream.add(at(1, 0, 5, succeeded(increase, 2)));
  stream.judge(10);
  RecordOperation wrong = at(2, 20, 25, told(query, 41));
  wrong.label = 17;
  stream.add(wrong);
  stream.judge(30);
  ASSERT_EQ(stream.verdict(), HistoryVerdict::violated);
  ASSERT_TRUE(stream.violation());
  ASSERT_EQ(stream.violation()->operations.size(), 2U);
  EXPECT_EQ(stream.violation()->before.front().content, 40U);
  EXPECT_EQ(stream.violation()->operations.front().action, increase);
  EXPECT_EQ(stream.violation()->operations.back().label, 17U);
}

/// A request that is lost may take effect at any later time: there is no rest behind it.
TEST(HistoryStream, WaitsForWhatIsLost) {
  const LinearizabilityChecker checker({});
  HistoryStream stream(checker, {RecordState{RecordState::Kind::counter, 1}});
  stream.add(at(1, 0, never_ns, unknown(increase, 1)));
  stream.add(at(2, 10, 11, told(query, 1)));
  stream.add(at(2, 20, 21, told(query, 2)));
  EXPECT_EQ(stream.judge(100), 0U);
  EXPECT_EQ(stream.finish(), 3U);
  EXPECT_EQ(stream.verdict(), HistoryVerdict::linearizable);
}

/// Not all requests are known from some time on: what was told then may come of the unknown ones.
TEST(HistoryStream, EndsWhereItIsNotWholeAnyMore) {
  const LinearizabilityChecker checker({});
  for (const bool known : {true, false}) {
    HistoryStream stream(checker, {RecordState{RecordState::Kind::counter, 1}});
    stream.add(at(1, 0, 5, told(query, 1)));
    stream.add(at(1, 10, 30, told(query, 9)));
    stream.add(at(2, 40, 50, told(query, 8)));
    stream.finish(known ? never_ns : 20);
    EXPECT_EQ(stream.verdict(), known ? HistoryVerdict::violated : HistoryVerdict::linearizable);
  }
}

}  // namespace
}  // namespace hallmark::oracle::testing
