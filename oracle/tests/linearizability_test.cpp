#include "oracle/linearizability.hpp"

#include <gtest/gtest.h>

#include "oracle/tests/record_histories.hpp"

namespace hallmark::oracle::testing {
namespace {

using enum RecordAction;

struct Row {
  const char* name;
  RecordHistory history;
  HistoryVerdict verdict;
  RecordRules rules = {};
  ClientOrder order = ClientOrder::as_sent;
};

void PrintTo(const Row& row, std::ostream* out) { *out << row.name; }

RecordOperation lasting(RecordOperation operation, std::int64_t ttl_ns) {
  operation.ttl_ns = ttl_ns;
  return operation;
}

RecordRules wrapping_below_zero() {
  RecordRules rules;
  rules.below_zero = RecordRules::OutOfRange::wrapped;
  rules.modulus = rules.limit = 0xff;
  return rules;
}

RecordRules swept() {
  RecordRules rules;
  rules.removal_delay_ns = 50;
  return rules;
}

constexpr auto fine = HistoryVerdict::linearizable;
constexpr auto wrong = HistoryVerdict::violated;

const Row rows[] = {
    {"nothing", {}, fine},
    {"one_winner", {at(1, 0, 9, succeeded(insert, 1)), at(2, 1, 8, failed(insert, 2))}, fine},
    {"two_winners", {at(1, 0, 9, succeeded(insert, 1)), at(2, 1, 8, succeeded(insert, 2))}, wrong},
    {"no_winner", {at(1, 0, 9, failed(insert, 1)), at(2, 1, 8, failed(insert, 2))}, wrong},
    {"lost_update",
     {at(1, 0, 1, succeeded(insert, 7)), at(1, 2, 9, succeeded(increase, 1)),
      at(2, 3, 8, succeeded(increase, 1)), at(1, 10, 11, told(query, 8))},
     wrong},
    {"both_updates",
     {at(1, 0, 1, succeeded(insert, 7)), at(1, 2, 9, succeeded(increase, 1)),
      at(2, 3, 8, succeeded(increase, 1)), at(1, 10, 11, told(query, 9))},
     fine},
    {"read_between",
     {at(1, 0, 1, succeeded(insert, 7)), at(1, 2, 9, succeeded(increase, 1)),
      at(2, 3, 8, succeeded(increase, 1)), at(3, 4, 7, told(query, 8))},
     fine},
    {"stale_read",
     {at(1, 0, 1, succeeded(insert, 7)), at(1, 2, 4, succeeded(patch, 9)),
      at(2, 5, 6, told(query, 7))},
     wrong},
    {"read_that_overlaps",
     {at(1, 0, 1, succeeded(insert, 7)), at(1, 2, 6, succeeded(patch, 9)),
      at(2, 5, 7, told(query, 7))},
     fine},
    {"touching_intervals_overlap",
     {at(1, 0, 1, succeeded(insert, 7)), at(1, 2, 5, succeeded(patch, 9)),
      at(2, 5, 7, told(query, 7))},
     fine},
    {"new_then_old",
     {at(1, 0, 1, succeeded(insert, 7)), at(1, 2, 20, succeeded(patch, 9)),
      at(2, 3, 5, told(query, 9)), at(3, 6, 8, told(query, 7))},
     wrong},
    {"resurrection",
     {at(1, 0, 1, succeeded(insert, 7)), at(1, 2, 4, succeeded(purge)),
      at(2, 3, 6, succeeded(increase, 1)), at(1, 7, 8, told(query, 8))},
     wrong},
    {"two_purges",
     {at(1, 0, 1, succeeded(insert, 7)), at(1, 2, 4, succeeded(purge)),
      at(2, 3, 6, succeeded(purge))},
     wrong},
    {"last_unit_twice",
     {at(1, 0, 1, succeeded(insert, 1)), at(1, 2, 4, succeeded(decrease, 1)),
      at(2, 3, 6, succeeded(decrease, 1))},
     wrong},
    {"last_unit_twice_where_it_wraps",
     {at(1, 0, 1, succeeded(insert, 1)), at(1, 2, 4, succeeded(decrease, 1)),
      at(2, 3, 6, succeeded(decrease, 1)), at(1, 7, 8, told(query, 255))},
     fine,
     wrapping_below_zero()},
    {"value_of_nobody",
     {at(1, 0, 1, succeeded(set, 1)), at(2, 2, 4, succeeded(set, 2)), at(3, 3, 6, told(get, 3))},
     wrong},
    {"lost_before_its_reply",
     {at(1, 0, 1, succeeded(insert, 7)), at(2, 2, never_ns, unknown(patch, 9)),
      at(1, 3, 4, told(query, 7)), at(1, 5, 6, told(query, 9))},
     fine},
    {"lost_and_never_done",
     {at(1, 0, 1, succeeded(insert, 7)), at(2, 2, never_ns, unknown(purge)),
      at(1, 5, 6, told(query, 7))},
     fine},
    {"lost_yet_done_only_once",
     {at(1, 0, 1, succeeded(insert, 7)), at(2, 2, never_ns, unknown(patch, 9)),
      at(1, 3, 4, told(query, 9)), at(1, 5, 6, told(query, 7))},
     wrong},
    {"not_done_before_it_was_sent",
     {at(1, 0, 1, succeeded(insert, 7)), at(1, 3, 4, told(query, 9)),
      at(2, 5, never_ns, unknown(patch, 9))},
     wrong},
    {"sent_together_in_order",
     {at(1, 0, 9, succeeded(insert, 7)), at(1, 0, 9, told(query, 7))},
     fine},
    {"sent_together_out_of_order",
     {at(1, 0, 9, failed(query)), at(1, 0, 9, succeeded(insert, 7)), at(1, 0, 9, failed(query))},
     wrong},
    {"sent_together_in_any_order",
     {at(1, 0, 9, failed(query)), at(1, 0, 9, succeeded(insert, 7)), at(1, 0, 9, failed(query))},
     fine,
     {},
     ClientOrder::any},
    {"gone_in_time",
     {at(1, 0, 10, lasting(succeeded(insert, 7), 100)), at(1, 111, 112, failed(query))},
     fine},
    {"gone_or_there",
     {at(1, 0, 10, lasting(succeeded(insert, 7), 100)), at(1, 105, 107, failed(query))},
     fine},
    {"there_or_gone",
     {at(1, 0, 10, lasting(succeeded(insert, 7), 100)), at(1, 105, 107, told(query, 7))},
     fine},
    {"gone_too_early",
     {at(1, 0, 10, lasting(succeeded(insert, 7), 100)), at(1, 98, 99, failed(query))},
     wrong},
    {"there_too_late",
     {at(1, 0, 10, lasting(succeeded(insert, 7), 100)), at(1, 110, 112, told(query, 7))},
     wrong},
    {"there_until_swept",
     {at(1, 0, 10, lasting(succeeded(insert, 7), 100)), at(1, 110, 112, told(query, 7))},
     fine,
     swept()},
    {"gone_then_there",
     {at(1, 0, 10, lasting(succeeded(insert, 7), 100)), at(1, 104, 105, failed(query)),
      at(1, 106, 107, told(query, 7))},
     wrong},
    {"taken_again_when_over",
     {at(1, 0, 10, lasting(succeeded(insert, 7), 100)), at(2, 108, 120, succeeded(insert, 8)),
      at(1, 121, 122, told(query, 8))},
     fine},
    {"old_end_takes_the_new_one",
     {at(1, 0, 10, lasting(succeeded(insert, 7), 100)), at(1, 20, 21, succeeded(purge)),
      at(1, 30, 31, lasting(succeeded(insert, 8), 1000)), at(1, 150, 151, failed(query))},
     wrong},
    {"prolonged",
     {at(1, 0, 10, lasting(succeeded(insert, 7), 100)),
      at(2, 20, 30, lasting(succeeded(patch_ttl), 200)), at(1, 150, 151, told(query, 7))},
     fine},
};

class Decides : public ::testing::TestWithParam<Row> {};

TEST_P(Decides, AHistoryWithAKnownOutcome) {
  const LinearizabilityChecker checker(GetParam().rules, GetParam().order);
  EXPECT_EQ(checker.check(GetParam().history).verdict, GetParam().verdict);
}

INSTANTIATE_TEST_SUITE_P(Histories, Decides, ::testing::ValuesIn(rows),
                         [](const auto& row) { return std::string(row.param.name); });

/// One of two operations that are alike may find the record there, and the other may find it gone:
/// the state at first says when it ends.
TEST(Linearizability, KnowsThatWhatWasThereAtFirstEnds) {
  const RecordState initial{RecordState::Kind::counter, 5, 10, 10};
  const RecordHistory history{
      at(1, 5, 40, succeeded(increase, 1)), at(2, 15, 50, succeeded(insert, 100)),
      at(3, 20, 30, succeeded(increase, 1)), at(4, 60, 70, told(query, 101))};
  const LinearizabilityChecker checker({});
  EXPECT_EQ(checker.check(history, {&initial, 1}).verdict, fine);
}

TEST(Linearizability, AgreesWithTryingEveryOrder) {
  std::size_t violated = 0;
  for (std::uint64_t seed = 0; seed < 3'000; ++seed) {
    std::mt19937_64 random(seed);
    const RecordHistory history = random_history(random, 2 + seed % 5, 1 + seed % 4, seed % 3);
    const ClientOrder order = seed % 2 == 0 ? ClientOrder::as_sent : ClientOrder::any;
    const HistoryFinding found = LinearizabilityChecker({}, order).check(history);
    const bool fits = some_order_fits(history, {}, order);
    ASSERT_EQ(found.verdict, fits ? fine : wrong) << "seed " << seed;
    if (!fits) ++violated;
  }
  EXPECT_GT(violated, 500U);
  EXPECT_LT(violated, 2'500U);
}

/// If records end, an order has to have times as well. The search does not check all of that: it
/// may pass a history that has no times, but it accuses none that has them.
TEST(Linearizability, AgreesWithTryingEveryOrderOfRecordsThatEnd) {
  std::size_t violated = 0;
  for (std::uint64_t seed = 0; seed < 3'000; ++seed) {
    std::mt19937_64 random(seed);
    const RecordHistory history =
        random_ending_history(random, 2 + seed % 5, 1 + seed % 4, seed % 3);
    const ClientOrder order = seed % 2 == 0 ? ClientOrder::as_sent : ClientOrder::any;
    const HistoryVerdict found = LinearizabilityChecker({}, order).check(history).verdict;
    if (some_order_fits(history, {}, order, true)) {
      ASSERT_EQ(found, fine) << "seed " << seed;
    }
    if (!some_order_fits(history, {}, order)) {
      ASSERT_EQ(found, wrong) << "seed " << seed;
    }
    if (found == wrong) ++violated;
  }
  EXPECT_GT(violated, 500U);
}

TEST(Linearizability, TellsWhereNoOrderFitsAndWhatTheRecordCanBeThen) {
  const RecordHistory history{at(1, 0, 1, succeeded(insert, 7)),
                              at(1, 2, 9, succeeded(increase, 1)),
                              at(2, 3, 8, succeeded(increase, 2)), at(1, 10, 11, told(query, 9)),
                              at(1, 12, 13, told(query, 8))};
  const HistoryFinding found = LinearizabilityChecker({}).check(history);
  ASSERT_EQ(found.verdict, wrong);
  EXPECT_EQ(found.stuck_at, 3U);
  ASSERT_EQ(found.states.size(), 1U);
  EXPECT_EQ(found.states.front().content, 10U);
}

TEST(Linearizability, KeepsKeysApart) {
  RecordHistory history{at(1, 0, 1, succeeded(insert, 7)), at(1, 0, 1, succeeded(insert, 7)),
                        at(1, 2, 3, told(query, 7)), at(1, 2, 3, told(query, 8))};
  history[1].key = history[3].key = 9;
  const auto findings = LinearizabilityChecker({}).check_keys(history);
  ASSERT_EQ(findings.size(), 2U);
  EXPECT_EQ(findings[0].verdict, fine);
  EXPECT_EQ(findings[1].verdict, wrong);
  EXPECT_EQ(findings[1].key, 9U);
  EXPECT_EQ(findings[1].stuck_at, 3U);
}

TEST(Linearizability, FindsAllStatesThatARecordCanEndIn) {
  const RecordHistory history{at(1, 0, 9, succeeded(insert, 7)), at(2, 0, 9, succeeded(patch, 1)),
                              at(3, 0, 9, succeeded(patch, 2))};
  const auto states = LinearizabilityChecker({}).states_after(history, std::vector{RecordState{}});
  ASSERT_TRUE(states);
  std::vector<std::uint64_t> quotas;
  for (const RecordState& state : *states) quotas.push_back(state.content);
  std::ranges::sort(quotas);
  EXPECT_EQ(quotas, (std::vector<std::uint64_t>{1, 2}));
}

TEST(Linearizability, GivesUpAtABoundAndSaysSo) {
  // Each increase may be before or after each query that overlaps it: all subsets.
  RecordHistory history{at(0, 0, 1, succeeded(insert, 0))};
  for (std::uint32_t i = 0; i < 24; ++i)
    history.push_back(at(1 + i, 2, 100, succeeded(increase, 1U << (i % 12))));
  history.push_back(at(90, 101, 102, told(query, 1)));
  SearchBounds few_steps;
  few_steps.most_steps = 1'000;
  const HistoryFinding by_steps =
      LinearizabilityChecker({}, ClientOrder::as_sent, few_steps).check(history);
  EXPECT_EQ(by_steps.verdict, HistoryVerdict::undecided);
  EXPECT_EQ(by_steps.bound, "steps");
  EXPECT_LE(by_steps.steps, 1'100U);
  SearchBounds little_memory;
  little_memory.most_bytes = 100'000;
  const HistoryFinding by_memory =
      LinearizabilityChecker({}, ClientOrder::as_sent, little_memory).check(history);
  EXPECT_EQ(by_memory.verdict, HistoryVerdict::undecided);
  EXPECT_EQ(by_memory.bound, "memory");
}

TEST(Linearizability, DecidesLongHistoriesOfManyClients) {
  RecordHistory history = busy_counter(1, 4'000, 16, 1);
  EXPECT_EQ(LinearizabilityChecker({}).check(history).verdict, fine);
  auto read = history.begin() + 2'000;
  while (!read->told) ++read;
  *read->told += 100;
  EXPECT_EQ(LinearizabilityChecker({}).check(history).verdict, wrong);
}

}  // namespace
}  // namespace hallmark::oracle::testing
