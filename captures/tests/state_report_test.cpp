#include "captures/state_report.hpp"

#include <gmock/gmock.h>

#include "base/tests/parsed.hpp"
#include "protocol/dialects.hpp"

namespace hallmark::captures {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

const protocol::Readings readings(protocol::ratelimit_state, protocol::Profile::deployed);

std::string explained(std::string_view text, const protocol::state::Taken& taken = {},
                      std::string_view key = "") {
  return explain_state({std::string(key), std::string(text)}, 1, readings, taken, {});
}

TEST(StateReport, ShowsEachFieldByOffsetAndTimesAsDates) {
  EXPECT_EQ(explained("12|8.5|1761884055342794596"),
            "#1 token-bucket/12, 26 bytes\n"
            "    0  12|                  header       token-bucket/12\n"
            "    3  8.5                  tokens       8.5 tokens\n"
            "    7  1761884055342794596  last_refill  2025-10-31 04:14:15.342794596 UTC\n");
}

TEST(StateReport, GoesThroughTheParts) {
  const std::string text =
      explained("51|23|1|default|2|1761884055342794596$12|8.5|-1", {}, "user:7");
  EXPECT_THAT(text, HasSubstr("#1 user:7, composite/51, 47 bytes\n"));
  EXPECT_THAT(text, HasSubstr("primary.quotas[0].name"));
  EXPECT_THAT(text, HasSubstr("1969-12-31 23:59:59.999999999 UTC"));
}

TEST(StateReport, MarksTheByteWhereAStateStops) {
  EXPECT_EQ(explained("12|x|17"),
            "#1 malformed at 3, 7 bytes\n"
            "    12|x|17\n"
            "       ^\n"
            "    tokens is no plain finite float64\n");
  EXPECT_THAT(explained("12|5|17\x1b[31m"), Not(HasSubstr("\x1b")));
}

TEST(StateReport, SaysWhatIsAmbiguousAndWhatIsWrittenOtherwiseToday) {
  EXPECT_THAT(explained("v2|8.5|17|"), HasSubstr("token-bucket/v2 or leaky-bucket/v2, historic"));
  EXPECT_THAT(explained("v2|8.5|17|"), HasSubstr("--strategy says which"));
  EXPECT_THAT(explained("32|5.0|17"), HasSubstr("today written as 32|5|17"));
}

TEST(StateReport, AsJson) {
  const auto json = states_as_json({{"k", "12|8.5|17"}, {"", "12|x"}}, readings, {});
  EXPECT_EQ(json.malformed, 1U);
  const auto parsed = base::test::parsed(json.text);
  EXPECT_EQ(parsed["states"][0]["key"], "k");
  EXPECT_EQ(parsed["states"][0]["fields"][1]["path"], "tokens");
  EXPECT_EQ(parsed["states"][1]["error"]["offset"], 3);
}

}  // namespace
}  // namespace hallmark::captures
