#include "reference/model/states/stored_state.hpp"

#include <gmock/gmock.h>

namespace hallmark::model {
namespace {

using ::testing::HasSubstr;

std::string format_of(std::string_view text, const protocol::state::Taken& taken = {}) {
  const auto parsed = parse_stored(text, taken);
  return parsed ? std::string(parsed->format->name) : "none: " + parsed.error().reason;
}

Evidence evidence(std::string_view text) { return evidence_in(parse_stored(text).value()); }

TEST(StoredState, BothAnswersToLegacyTailAreRead) {
  EXPECT_EQ(format_of("v2|17|"), "gcra/v2");
  EXPECT_EQ(format_of("v2|17"), "gcra/v2");
  EXPECT_EQ(format_of("v2|8.5|17", {.strategy = "token-bucket"}), "token-bucket/v2");
  EXPECT_TRUE(evidence("v2|17|").legacy_tail_bar);
  EXPECT_FALSE(evidence("v2|17|").legacy_tail_none);
  EXPECT_TRUE(evidence("v2|17").legacy_tail_none);
}

TEST(StoredState, BothAnswersToHeaderHistoryAreRead) {
  EXPECT_EQ(format_of("v3|1|a|1|2"), "fixed-window/v3");
  EXPECT_EQ(format_of("23|1|a|1|2"), "fixed-window/23");
  EXPECT_TRUE(evidence("v3|1|a|1|2").header_history_v3);
  EXPECT_FALSE(evidence("23|1|a|1|2").header_history_v3);
}

TEST(StoredState, AnyNumberOfQuotasIsRead) {
  EXPECT_EQ(format_of("23|0"), "fixed-window/23");
  EXPECT_TRUE(evidence("23|0").quota_count_any);
  EXPECT_TRUE(
      evidence("23|9|a|1|2|b|1|2|c|1|2|d|1|2|e|1|2|f|1|2|g|1|2|h|1|2|i|1|2").quota_count_any);
  EXPECT_FALSE(evidence("23|1|a|1|2").quota_count_any);
}

TEST(StoredState, CompositesInCompositesAreReadFromEitherSide) {
  const Evidence right = evidence("51|12|1|1$51|12|2|2$12|3|3");
  EXPECT_TRUE(right.nested_split_first);
  EXPECT_FALSE(right.nested_split_last);
  const Evidence left = evidence("51|51|12|1|1$12|2|2$12|3|3");
  EXPECT_TRUE(left.nested_split_last);
  const Evidence plain = evidence("51|12|1|1$12|2|2");
  EXPECT_FALSE(plain.nested_split_first || plain.nested_split_last);
}

TEST(StoredState, EvidenceOfPartsCounts) {
  EXPECT_TRUE(evidence("cmp1|v2|17$v2|18").legacy_tail_none);
  EXPECT_TRUE(evidence("51|v3|1|a|1|2$42|1").header_history_v3);
}

TEST(StoredState, TheErrorIsThatOfTheReadingThatGotFurthest) {
  const auto tail = parse_stored("v2|8.5|17x", {.strategy = "token-bucket"});
  ASSERT_FALSE(tail.has_value());
  EXPECT_EQ(tail.error().offset, 9U);
  const auto last = parse_stored("51|51|12|1|1$12|2|x$12|3|3");
  ASSERT_FALSE(last.has_value());
  EXPECT_EQ(last.error().field, "primary.secondary.last_refill");
  EXPECT_THAT(parse_stored("hello").error().reason, HasSubstr("starts no state"));
}

}  // namespace
}  // namespace hallmark::model
