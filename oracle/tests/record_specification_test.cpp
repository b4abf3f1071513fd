#include "oracle/record_specification.hpp"

#include <gtest/gtest.h>

#include "oracle/tests/record_histories.hpp"
#include "protocol/dialects.hpp"

namespace hallmark::oracle::testing {
namespace {

using enum RecordAction;
using Kind = RecordState::Kind;

const RecordState absent;
const RecordState counter{Kind::counter, 7};
const RecordState buffer{Kind::buffer, 3};

/// A state, and the next one after an operation that is done between 0 and 10. A reply that cannot
/// be right leaves no next one.
struct Step {
  const char* name;
  RecordState state;
  RecordOperation operation;
  std::optional<RecordState> next;
  RecordRules rules = {};
};

void PrintTo(const Step& step, std::ostream* out) { *out << step.name; }

RecordRules with(RecordRules::OutOfRange answer) {
  RecordRules rules;
  rules.below_zero = rules.above_limit = answer;
  rules.limit = rules.modulus = 0xff;
  return rules;
}

RecordRules replacing() {
  RecordRules rules;
  rules.insert_existing = rules.other_kind = RecordRules::Taken::replaced;
  rules.purge_missing_succeeds = true;
  return rules;
}

RecordRules keeping() {
  RecordRules rules;
  rules.set_existing = RecordRules::Taken::refused;
  return rules;
}

const RecordRules saturating = with(RecordRules::OutOfRange::clamped);
const RecordRules wrapping = with(RecordRules::OutOfRange::wrapped);
const RecordState full{Kind::counter, 0xff};

const Step steps[] = {
    {"insert_makes_a_counter", absent, succeeded(insert, 7), counter},
    {"insert_cannot_fail", absent, failed(insert, 7), std::nullopt},
    {"insert_on_a_counter_fails", counter, failed(insert, 1), counter},
    {"insert_on_a_counter_cannot_succeed", counter, succeeded(insert, 1), std::nullopt},
    {"insert_replaces_where_it_may", counter, succeeded(insert, 1), RecordState{Kind::counter, 1},
     replacing()},
    {"insert_on_a_buffer_fails", buffer, failed(insert, 1), buffer},
    {"insert_beyond_the_limit_fails", absent, failed(insert, 0x100), absent, saturating},
    {"query_tells_the_quota", counter, told(query, 7), counter},
    {"query_tells_no_other_quota", counter, told(query, 8), std::nullopt},
    {"query_that_nobody_looked_at", counter, succeeded(query), counter},
    {"query_finds_nothing", absent, failed(query), absent},
    {"query_finds_no_buffer", buffer, failed(query), buffer},
    {"increase_adds", counter, succeeded(increase, 2), RecordState{Kind::counter, 9}},
    {"decrease_takes", counter, succeeded(decrease, 7), RecordState{Kind::counter, 0}},
    {"decrease_below_zero_fails", counter, failed(decrease, 8), counter},
    {"decrease_below_zero_wraps", counter, succeeded(decrease, 8), full, wrapping},
    {"decrease_below_zero_ends_at_zero", counter, succeeded(decrease, 8),
     RecordState{Kind::counter, 0}, saturating},
    {"increase_past_the_limit_saturates", counter, succeeded(increase, 0xfe), full, saturating},
    {"increase_past_the_limit_wraps", counter, succeeded(increase, 0xff),
     RecordState{Kind::counter, 6}, wrapping},
    {"patch_replaces", counter, succeeded(patch, 1), RecordState{Kind::counter, 1}},
    {"update_of_nothing_fails", absent, failed(increase, 1), absent},
    {"update_of_nothing_cannot_succeed", absent, succeeded(increase, 1), std::nullopt},
    {"update_of_a_buffer_fails", buffer, failed(patch, 1), buffer},
    {"purge_removes", counter, succeeded(purge), absent},
    {"purge_removes_buffers", buffer, succeeded(purge), absent},
    {"purge_of_nothing_fails", absent, failed(purge), absent},
    {"purge_of_nothing_succeeds_where_it_may", absent, succeeded(purge), absent, replacing()},
    {"set_makes_a_buffer", absent, succeeded(set, 3), buffer},
    {"set_replaces", buffer, succeeded(set, 4), RecordState{Kind::buffer, 4}},
    {"set_is_refused_where_it_is", buffer, failed(set, 4), buffer, keeping()},
    {"set_on_a_counter_fails", counter, failed(set, 4), counter},
    {"get_tells_the_value", buffer, told(get, 3), buffer},
    {"get_tells_no_other_value", buffer, told(get, 4), std::nullopt},
    {"get_finds_no_counter", counter, failed(get), counter},
    {"nobody_knows_how_it_went", counter, unknown(purge), absent},
};

class Specifies : public ::testing::TestWithParam<Step> {};

TEST_P(Specifies, WhatComesOfAnOperation) {
  const RecordSpecification specification(GetParam().rules);
  const RecordSuccessors found =
      specification.after(GetParam().state, at(1, 0, 10, GetParam().operation));
  ASSERT_EQ(found.states().size(), GetParam().next ? 1U : 0U);
  if (GetParam().next) {
    EXPECT_EQ(found.states().front(), *GetParam().next);
  }
}

INSTANTIATE_TEST_SUITE_P(Steps, Specifies, ::testing::ValuesIn(steps),
                         [](const auto& row) { return std::string(row.param.name); });

TEST(RecordSpecification, FindsWhatMayBeOverThereOrGone) {
  const RecordSpecification specification({});
  const RecordState ending{Kind::counter, 7, 100, 110};
  const auto both = specification.after(ending, at(1, 105, 120, unknown(query)));
  ASSERT_EQ(both.states().size(), 2U);
  EXPECT_EQ(both.states()[0], ending);
  EXPECT_EQ(both.states()[1], absent);
  EXPECT_EQ(specification.after(ending, at(1, 90, 99, unknown(query))).states().size(), 1U);
  EXPECT_EQ(specification.after(ending, at(1, 110, 120, unknown(query))).states().size(), 1U);
}

TEST(RecordRules, AreTheAnswersToReadings) {
  protocol::Readings readings(protocol::throttr_7_1, protocol::Profile::deployed);
  readings.choose({"increase-overflow", "saturated"});
  readings.choose({"kind-mismatch", "replaced"});
  readings.choose({"maximum-values", "invalid"});
  readings.choose({"expired-when", "scheduler"});
  const RecordRules rules = RecordRules::of(readings, protocol::Width::u8, 1'000);
  EXPECT_EQ(rules.above_limit, RecordRules::OutOfRange::clamped);
  EXPECT_EQ(rules.below_zero, RecordRules::OutOfRange::refused);
  EXPECT_EQ(rules.other_kind, RecordRules::Taken::replaced);
  EXPECT_EQ(rules.insert_existing, RecordRules::Taken::refused);
  EXPECT_EQ(rules.set_existing, RecordRules::Taken::replaced);
  EXPECT_EQ(rules.limit, 254U);
  EXPECT_EQ(rules.modulus, 255U);
  EXPECT_EQ(rules.removal_delay_ns, 1'000);
}

}  // namespace
}  // namespace hallmark::oracle::testing
