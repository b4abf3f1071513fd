#include "base/json.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <limits>

#include "base/tests/parsed.hpp"

namespace hallmark::base {
namespace {

using std::string_literals::operator""s;
using test::parsed;

TEST(ParseJson, ReadsEveryKindOfValue) {
  const Json json =
      parsed(R"( {"null": null, "yes": true, "no": false, "text": "a\u00e9\n\ud83d\ude00",
      "natural": 18446744073709551615, "negative": -9223372036854775808, "real": -1.5e3,
      "list": [1, [], {}], "object": {"within": {}}} )");
  EXPECT_TRUE(json["null"].is_null());
  EXPECT_TRUE(json["yes"].boolean());
  EXPECT_FALSE(json["no"].boolean());
  EXPECT_EQ(json["text"].string(), "aé\n😀");
  EXPECT_EQ(json["natural"].natural(), std::numeric_limits<std::uint64_t>::max());
  EXPECT_EQ(json["negative"].negative(), std::numeric_limits<std::int64_t>::min());
  EXPECT_EQ(json["real"].real(), -1500.0);
  EXPECT_EQ(json["list"], Json::array({1, Json::array(), Json::object()}));
  EXPECT_EQ(json["object"], (Json{{"within", Json::object()}}));
}

TEST(ParseJson, KeepsTheOrderOfMembers) {
  EXPECT_EQ(parsed(R"({"b":1,"a":2,"c":3})").dump(), R"({"b":1,"a":2,"c":3})");
}

TEST(ParseJson, KnowsWhereEachValueStands) {
  const Json json = parsed("\xef\xbb\xbf{\n  \"a\": [1,\n\t22 ,\"\\n\"],\n\"b\":true}");
  const auto stands_at = [](const Json& value, std::uint32_t line, std::uint32_t column) {
    return value.place().line == line && value.place().column == column;
  };
  EXPECT_TRUE(stands_at(json, 1, 4));
  EXPECT_TRUE(stands_at(json["a"], 2, 8));
  EXPECT_TRUE(stands_at(json["a"][0], 2, 9));
  EXPECT_TRUE(stands_at(json["a"][1], 3, 2));
  EXPECT_TRUE(stands_at(json["a"][2], 3, 6));
  EXPECT_TRUE(stands_at(json["b"], 4, 5));
}

TEST(ParseJson, NumbersBeyond64BitsAreReal) {
  EXPECT_EQ(parsed("18446744073709551616").real(), 18446744073709551616.0);
  EXPECT_EQ(parsed("-9223372036854775809").real(), -9223372036854775809.0);
  EXPECT_EQ(parsed("1e-400").real(), 0.0);
}

struct Mistake {
  std::string name;
  std::string text;
  std::string complaint;
};

class ParseJsonRefuses : public ::testing::TestWithParam<Mistake> {};

TEST_P(ParseJsonRefuses, InOneLineWithThePlace) {
  const auto json = parse_json(GetParam().text);
  ASSERT_FALSE(json.has_value());
  EXPECT_EQ(json.error().message, GetParam().complaint);
}

INSTANTIATE_TEST_SUITE_P(
    , ParseJsonRefuses,
    ::testing::Values(
        Mistake{"nothing", "", "line 1, column 1: the text ends, expected a JSON value"},
        Mistake{"blanks", "\n ", "line 2, column 2: the text ends, expected a JSON value"},
        Mistake{"two_values", "{} []", "line 1, column 4: came '[', expected nothing more"},
        Mistake{"open_object", "{",
                "line 1, column 2: the text ends, expected a member's name in quotes or '}'"},
        Mistake{"name_without_quotes", "{a:1}",
                "line 1, column 2: came 'a', expected a member's name in quotes or '}'"},
        Mistake{"name_without_value", R"({"a"})", "line 1, column 5: came '}', expected ':'"},
        Mistake{"no_value", R"({"a":})", "line 1, column 6: came '}', expected a value"},
        Mistake{"no_comma", "{\"a\":1\n\"b\":2}",
                "line 2, column 1: came '\"b\"', expected ',' or '}'"},
        Mistake{"comma_at_the_end_of_an_object", R"({"a":1,})",
                "line 1, column 8: came '}', expected a member's name in quotes"},
        Mistake{"comma_at_the_end_of_a_list", "[1,]",
                "line 1, column 4: came ']', expected a value"},
        Mistake{"open_list", "[1", "line 1, column 3: the text ends, expected ',' or ']'"},
        Mistake{"wrong_bracket", "[1}", "line 1, column 3: came '}', expected ',' or ']'"},
        Mistake{"half_a_word", "[tru]", "line 1, column 2: came 'tru]', expected a value or ']'"},
        Mistake{"comment", "/* */ 1", "line 1, column 1: came '/', expected a JSON value"},
        Mistake{"half_a_number", "[1e]", "line 1, column 2: came '1e', expected a value or ']'"},
        Mistake{"leading_zero", "[01]", "line 1, column 3: came '1', expected ',' or ']'"},
        Mistake{"beyond_a_double", "[1,\n 1e400]",
                "line 2, column 2: the number 1e400 is beyond a double"},
        Mistake{"beyond_a_double_below", "-1e400",
                "line 1, column 1: the number -1e400 is beyond a double"},
        Mistake{"open_string", R"(["ab)", "line 1, column 2: the text ends within a string"},
        Mistake{
            "line_end_in_a_string", "[\"ab\n\"]",
            "line 1, column 5: a control character in a string, expected an escape such as \\n"},
        Mistake{
            "nul_in_a_string", "\"\0\""s,
            "line 1, column 2: a control character in a string, expected an escape such as \\n"},
        Mistake{"wrong_escape", R"("\x1b")", "line 1, column 3: a wrong escape in a string"},
        Mistake{"half_a_surrogate", R"("\ud800")", "line 1, column 8: a wrong escape in a string"},
        Mistake{"broken_utf8", "[\"a\xff\"]", "line 1, column 4: a string is not UTF-8"},
        Mistake{"overlong_utf8", "\"\xc0\xaf\"", "line 1, column 2: a string is not UTF-8"},
        Mistake{"control_character", "[\x1b[31m]",
                "line 1, column 2: came '\\x1b', expected a value or ']'"},
        Mistake{"doubled_member", "{\"a\":1,\n\"b\":2, \"a\":3}",
                "line 2, column 12: the object has two members 'a'"},
        Mistake{"doubled_by_an_escape", R"({"a":1,"\u0061":3})",
                "line 1, column 17: the object has two members 'a'"},
        Mistake{"doubled_control_character", R"({"\u001b":1,"\u001b":3})",
                "line 1, column 22: the object has two members '\\x1b'"}),
    [](const auto& row) { return row.param.name; });

TEST(ParseJson, RefusesADoubledMemberAmongMany) {
  std::string text = "{";
  for (int i = 0; i < 100'000; ++i) text += "\"" + std::to_string(i) + "\":0,";
  EXPECT_EQ(parse_json(text + "\"x\":0}")->size(), 100'001U);
  EXPECT_THAT(parse_json(text + "\"77\":0}").error().message,
              ::testing::EndsWith("the object has two members '77'"));
}

TEST(ParseJson, BoundsNesting) {
  const auto nested = [](std::size_t levels) {
    return std::string(levels, '[') + std::string(levels, ']');
  };
  EXPECT_TRUE(parse_json(nested(64)).has_value());
  EXPECT_EQ(parse_json(nested(65)).error().message,
            "line 1, column 65: nests deeper than 64 levels");
  EXPECT_EQ(parse_json(nested(100'000)).error().message,
            "line 1, column 65: nests deeper than 64 levels");
  EXPECT_EQ(parse_json(R"({"a":{"b":[]}})", {.depth = 2}).error().message,
            "line 1, column 11: nests deeper than 2 levels");
}

TEST(ParseJson, BoundsTheNumberOfValues) {
  EXPECT_TRUE(parse_json("[1,2]", {.values = 3}).has_value());
  EXPECT_EQ(parse_json("[1,2]", {.values = 2}).error().message,
            "line 1, column 4: more than 2 values");
  EXPECT_EQ(parse_json(R"({"a":1,"b":[]})", {.values = 2}).error().message,
            "line 1, column 12: more than 2 values");
}

TEST(ParseJson, NamesTheColumnAloneOfALine) {
  EXPECT_EQ(parse_json("[1}", {.is_line = true}).error().message,
            "column 3: came '}', expected ',' or ']'");
  EXPECT_EQ(in_words(parse_json("[ 1]", {.is_line = true}).value()[0].place()), "column 3");
}

TEST(DumpJson, WritesOneLineOrOneForEachValue) {
  const Json json = {{"a", Json::array({1, "x", nullptr})},
                     {"b", {{"c", Json::array()}, {"d", Json::object()}}}};
  EXPECT_EQ(json.dump(), R"({"a":[1,"x",null],"b":{"c":[],"d":{}}})");
  EXPECT_EQ(json.dump(2),
            "{\n  \"a\": [\n    1,\n    \"x\",\n    null\n  ],\n"
            "  \"b\": {\n    \"c\": [],\n    \"d\": {}\n  }\n}");
}

TEST(DumpJson, EscapesAndReplaces) {
  EXPECT_EQ(Json("\"\\\n\x1b\x7fé").dump(), "\"\\\"\\\\\\n\\u001b\x7fé\"");
  EXPECT_EQ(Json("a\xffz").dump(), "\"a\xef\xbf\xbdz\"");
  EXPECT_EQ((Json{{"\t", 1}}).dump(), R"({"\t":1})");
}

struct Real {
  double number;
  const char* text;
};

class DumpJsonReal : public ::testing::TestWithParam<Real> {};

TEST_P(DumpJsonReal, InTheFewestDigitsThatReadBack) {
  EXPECT_EQ(Json(GetParam().number).dump(), GetParam().text);
}

INSTANTIATE_TEST_SUITE_P(
    , DumpJsonReal,
    ::testing::Values(Real{0, "0.0"}, Real{-0.0, "-0.0"}, Real{500, "500.0"}, Real{0.1, "0.1"},
                      Real{1.0 / 3, "0.3333333333333333"}, Real{1e15, "1e+15"}, Real{1e-7, "1e-07"},
                      Real{5e-324, "5e-324"},
                      Real{std::numeric_limits<double>::max(), "1.7976931348623157e+308"},
                      Real{HUGE_VAL, "null"}, Real{std::nan(""), "null"}));

}  // namespace
}  // namespace hallmark::base
