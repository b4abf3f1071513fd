#include "vectors/format/state_match.hpp"

#include <gtest/gtest.h>

#include "base/tests/parsed.hpp"

namespace hallmark::vectors {
namespace {

using base::test::parsed;

struct Row {
  std::string_view name;
  std::string_view expected;
  std::string_view answer;
  std::string_view member;  ///< that is wrong; empty: none
  bool rounding = false;
};

class StateMatch : public ::testing::TestWithParam<Row> {};

TEST_P(StateMatch, FindsTheFirstWrongMember) {
  const Row& row = GetParam();
  const auto found = mismatch(parsed(row.expected), parsed(row.answer), row.rounding);
  EXPECT_EQ(found ? found->member : "", row.member);
}

INSTANTIATE_TEST_SUITE_P(
    , StateMatch,
    ::testing::Values(
        Row{"more_is_right", R"({"a":"1"})", R"({"b":2,"a":"1"})", ""},
        Row{"missing", R"({"a":{"b":"1"}})", R"({"a":{}})", "a.b"},
        Row{"text", R"({"a":"1"})", R"({"a":"1.0"})", "a"},
        Row{"number_is_no_text", R"({"a":"1"})", R"({"a":1})", "a"},
        Row{"null", R"({"a":null})", R"({"a":null})", ""},
        Row{"null_has_to_be_there", R"({"a":null})", "{}", "a"},
        Row{"not_null", R"({"a":null})", R"({"a":""})", "a"},
        Row{"boolean", R"({"a":true})", R"({"a":false})", "a"},
        Row{"list", R"({"a":[{"b":"1"},{"b":"2"}]})", R"({"a":[{"b":"1"},{"b":"3"}]})", "a[1].b"},
        Row{"longer_list", R"({"a":["1"]})", R"({"a":["1","2"]})", "a"},
        Row{"list_for_object", R"({"a":{"b":1}})", R"({"a":[1]})", "a"},
        Row{"answer_is_no_object", R"({"a":"1"})", R"("a")", "the answer"},
        Row{"error_is_any", R"({"error":{"offset":3}})", R"({"error":{"offset":7}})", ""},
        Row{"error_is_missing", R"({"error":{"offset":3}})", R"({"state":"12|1|1"})", "error"},
        Row{"any", R"({"a":{"match":"any"}})", R"({"a":[3]})", ""},
        Row{"any_has_to_be_there", R"({"a":{"match":"any"}})", "{}", "a"},
        Row{"least", R"({"a":{"match":"range","min":"-5","max":"9"}})", R"({"a":"-5"})", ""},
        Row{"below", R"({"a":{"match":"range","min":"-5","max":"9"}})", R"({"a":"-6"})", "a"},
        Row{"above", R"({"a":{"match":"range","min":"1","max":"9"}})", R"({"a":"10"})", "a"},
        Row{"no_number", R"({"a":{"match":"range","min":"1","max":"9"}})", R"({"a":"2x"})", "a"},
        Row{"number", R"({"a":{"match":"range","min":"1","max":"9"}})", R"({"a":2})", "a"},
        Row{"unknown_matcher", R"({"a":{"match":"odd"}})", R"({"a":"1"})", "a"},
        Row{"rounded", R"({"a":"12|9|5"})", R"({"a":"12|8.9999999999|5"})", "", true},
        Row{"rounded_without_flag", R"({"a":"12|9|5"})", R"({"a":"12|8.9999999999|5"})", "a"}),
    [](const auto& one) { return std::string(one.param.name); });

TEST(Rounding, IsOfFloatsAlone) {
  EXPECT_TRUE(equal_but_for_rounding("12|8.5|1761884055342794596",
                                     "12|8.500000000001|1761884055342794596"));
  EXPECT_FALSE(equal_but_for_rounding("12|8.5|1761884055342794596", "12|8.5|1761884055342794597"));
  EXPECT_FALSE(equal_but_for_rounding("12|8.5|1", "12|8.6|1"));
  EXPECT_TRUE(equal_but_for_rounding("1e+06", "1000000"));
  EXPECT_TRUE(equal_but_for_rounding("51|12|3.0|1$32|2|1", "51|12|3|1$32|2.0|1"));
  EXPECT_FALSE(equal_but_for_rounding("51|12|3|1$32|2|1", "51|12|3|1|32|2|1"));
  EXPECT_FALSE(equal_but_for_rounding("12|1|2", "12|1|2|"));
  EXPECT_FALSE(equal_but_for_rounding("12|1.5x|2", "12|1.5|2"));
  EXPECT_TRUE(equal_but_for_rounding("", ""));
}

}  // namespace
}  // namespace hallmark::vectors
