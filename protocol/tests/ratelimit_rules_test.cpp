#include "protocol/rules/ratelimit_rules.hpp"

#include <gmock/gmock.h>

#include <fstream>
#include <sstream>

#include "cmake/places/places.hpp"
#include "protocol/tests/rules.hpp"

namespace hallmark::protocol::ratelimit {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::StartsWith;

std::string counted_under(std::string_view text, std::string_view key) {
  return rules(text).match(key).key;
}

bool limits(std::string_view text, std::string_view key) {
  return rules(text).match(key).limit != nullptr;
}

TEST(Rules, GiveALimitToTheKeysOfAPattern) {
  const Rules read = rules("22/20 leaky stats \"ws ip=*\"");
  const auto match = read.match("ws ip=10.0.0.1");
  ASSERT_NE(match.limit, nullptr);
  EXPECT_EQ(*match.limit, (Limit{22, 20, Discipline::leaky, true}));
  EXPECT_EQ(match.key, "ws ip=10.0.0.1");
  EXPECT_EQ(read.match("ws ua=x").limit, nullptr);
  EXPECT_EQ(read.match("ws ua=x").key, "ws ua=x");
}

TEST(Rules, TakeNumbersOfUsesAsRepliesPrintThem) {
  for (const char* const number :
       {"0", "0.0", "0.5", "7", "007", "22.0", "2500.9", "999999999.9"}) {
    const Rules read = rules(std::string(number) + "/2147483647 strict \"k\"");
    char printed[32];
    std::snprintf(printed, sizeof printed, "%.1f", read.rules()[0].limit.uses);
    EXPECT_EQ(std::stod(printed), std::stod(number)) << number;
    EXPECT_EQ(read.rules()[0].limit.uses, std::stod(number));
    EXPECT_EQ(read.rules()[0].limit.period_seconds, 2'147'483'647U);
  }
}

TEST(Rules, AreWrittenAsInTheFile) {
  for (const char* const line :
       {R"(22/20 leaky stats "ws ip=*")", R"(0.5/1 strict "ws ua=*" as "ws agents")",
        R"(100/60 strict "net *.*.*.*" as "net \1.\2")", R"(0/1 strict "a\x00\"b\\*?")"}) {
    EXPECT_EQ(to_string(rules(line).rules()[0]), line);
  }
  EXPECT_EQ(to_string(rules("022.0/20 strict    \"k\" # comment").rules()[0]),
            "22/20 strict \"k\"");
}

TEST(Rules, TheFirstThatMatchesDecides) {
  const Rules read =
      rules("1/1 strict \"ws ip=127.*\"\n2/1 strict \"ws ip=*\"\n3/1 strict \"*\"\n");
  EXPECT_EQ(read.match("ws ip=127.0.0.1").limit->uses, 1);
  EXPECT_EQ(read.match("ws ip=128.0.0.1").limit->uses, 2);
  EXPECT_EQ(read.match("").limit->uses, 3);
}

TEST(Rules, RewriteSeveralKeysToOne) {
  const std::string text = "2500/10 strict \"ws ua=*\" as \"ws agents\"";
  EXPECT_EQ(counted_under(text, "ws ua=curl"), "ws agents");
  EXPECT_EQ(counted_under(text, "ws ua="), "ws agents");
}

TEST(Rules, RewriteWithWhatTheStarsStandFor) {
  EXPECT_EQ(counted_under(R"(1/1 strict "ws ip=*.*.*.*" as "net \1.\2")", "ws ip=10.20.30.40"),
            "net 10.20");
  EXPECT_EQ(counted_under(R"(1/1 strict "*=*" as "\2\1")", "a=b"), "ba");
  EXPECT_EQ(counted_under(R"(1/1 strict "a*" as "")", "abc"), "");
}

TEST(Rules, AMatchWithoutAllocatingIsTheSame) {
  const Rules read = rules("1/1 strict \"a*\" as \"[\\1]\"\n1/1 strict \"b*\"");
  Rules::Room room;
  for (const std::string key : {"a1", "b2", "c3", "a", "a456"}) {
    const auto view = read.match(key, room);
    const auto match = read.match(key);
    EXPECT_EQ(view.limit, match.limit);
    EXPECT_EQ(view.key, match.key);
  }
}

TEST(Rules, EscapesStandForBytes) {
  EXPECT_TRUE(limits(R"(1/1 strict "\*\?\\\"")", "*?\\\""));
  EXPECT_FALSE(limits(R"(1/1 strict "\*")", "x"));
  EXPECT_TRUE(limits(R"(1/1 strict "\x00\xFF\x7f")", std::string("\0\xff\x7f", 3)));
  EXPECT_TRUE(limits("1/1 strict \"caf\xc3\xa9 # \xff\"", "caf\xc3\xa9 # \xff"));
  EXPECT_EQ(counted_under(R"(1/1 strict "a" as "\*\x41\?")", "a"), "*A?");
}

TEST(Rules, CommentsBlanksAndEndsOfLinesAreFree) {
  const Rules read = rules(
      "# one\r\n\r\n   \t\n\t1/1\t strict  \"a\"  # two\r\n2/1 strict \"b\" as \"c\"# three\n3/1 "
      "strict "
      "stats \"d\"");
  ASSERT_EQ(read.rules().size(), 3U);
  EXPECT_EQ(read.rules()[0].line, 4U);
  EXPECT_EQ(read.rules()[2].line, 6U);
  EXPECT_EQ(read.rules()[2].pattern_text, "d");
}

struct Mistake {
  const char* name;
  std::string text;
  std::size_t line;
  std::size_t column;
  std::string reason;
};

std::string many_rules(std::size_t count) {
  std::string text;
  for (std::size_t i = 0; i < count; ++i) text += "1/1 strict \"" + std::to_string(i) + "\"\n";
  return text;
}

const std::string longest_literal(longest_key, 'k');

const Mistake mistakes[] = {
    {"empty", "", 1, 1,
     "no rule in the file; expected at least one, such as: 22/20 strict \"ws ip=*\""},
    {"only_comments", "# a\n\n  # b\n", 1, 1,
     "no rule in the file; expected at least one, such as: 22/20 strict \"ws ip=*\""},
    {"no_limit", "\n strict \"a\"", 2, 2,
     "'strict' is no limit; allowed: USES/SECONDS, such as 22/20 or 0.5/1"},
    {"limit_without_period", "22 strict \"a\"", 1, 1,
     "'22' is no limit; allowed: USES/SECONDS, such as 22/20 or 0.5/1"},
    {"quote_first", "\"ws ip=*\" 22/20", 1, 1,
     "'\"ws' is no limit; allowed: USES/SECONDS, such as 22/20 or 0.5/1"},
    {"uses_not_a_number", "x/20 strict \"a\"", 1, 1,
     "'x' is no number of uses; allowed: 1 to 9 digits, then at most a point and one digit"},
    {"uses_negative", "-1/20 strict \"a\"", 1, 1,
     "'-1' is no number of uses; allowed: 1 to 9 digits, then at most a point and one digit"},
    {"uses_missing", "/20 strict \"a\"", 1, 1,
     "'' is no number of uses; allowed: 1 to 9 digits, then at most a point and one digit"},
    {"uses_ends_with_a_point", "1./20 strict \"a\"", 1, 1,
     "'1.' is no number of uses; allowed: 1 to 9 digits, then at most a point and one digit"},
    {"uses_with_two_points", "1.2.3/20 strict \"a\"", 1, 1,
     "'1.2.3' is no number of uses; allowed: 1 to 9 digits, then at most a point and one digit"},
    {"two_fraction_digits", "  2.25/20 strict \"a\"", 1, 3,
     "'2.25' has too many digits; allowed: 1 to 9 digits, then at most a point and one digit"},
    {"ten_digits", "1000000000/20 strict \"a\"", 1, 1,
     "'1000000000' has too many digits; allowed: 1 to 9 digits, then at most a point and one "
     "digit"},
    {"period_zero", "22/0 strict \"a\"", 1, 4,
     "'0' is no period; allowed: 1 to 2147483647 seconds"},
    {"period_too_large", "22/2147483648 strict \"a\"", 1, 4,
     "'2147483648' is no period; allowed: 1 to 2147483647 seconds"},
    {"period_far_too_large", "22/99999999999999999999 strict \"a\"", 1, 4,
     "'99999999999999999999' is no period; allowed: 1 to 2147483647 seconds"},
    {"period_with_unit", "22/20s strict \"a\"", 1, 4,
     "'20s' is no period; allowed: 1 to 2147483647 seconds"},
    {"period_missing", "22/ strict \"a\"", 1, 4,
     "'' is no period; allowed: 1 to 2147483647 seconds"},
    {"discipline_missing", "22/20", 1, 6, "discipline is missing; allowed: strict, leaky"},
    {"discipline_missing_before_a_comment", "22/20 # strict", 1, 7,
     "discipline is missing; allowed: strict, leaky"},
    {"discipline_unknown", "22/20 lax \"a\"", 1, 7,
     "'lax' is no discipline; allowed: strict, leaky"},
    {"discipline_in_capitals", "22/20 Strict \"a\"", 1, 7,
     "'Strict' is no discipline; allowed: strict, leaky"},
    {"word_unknown", "22/20 leaky stat \"a\"", 1, 13,
     "'stat' is not known here; allowed: stats, or a pattern in double quotes, such as \"ws "
     "ip=*\""},
    {"pattern_without_quotes", "22/20 leaky ws", 1, 13,
     "'ws' is not known here; allowed: stats, or a pattern in double quotes, such as \"ws ip=*\""},
    {"pattern_missing", "22/20 leaky", 1, 12,
     "pattern is missing; allowed: a pattern in double quotes, such as \"ws ip=*\""},
    {"pattern_missing_after_stats", "22/20 leaky stats ws", 1, 19,
     "'ws' is no pattern; allowed: a pattern in double quotes, such as \"ws ip=*\""},
    {"quote_open", "22/20 leaky \"ws", 1, 13,
     "the quote is not closed; allowed: a closing \" in this line"},
    {"quote_open_over_lines", "22/20 leaky \"ws\\\"\n\"", 1, 13,
     "the quote is not closed; allowed: a closing \" in this line"},
    {"backslash_at_the_end", "1/1 strict \"a\\", 1, 14,
     "the line ends after a backslash; allowed: a closing quote"},
    {"bad_escape", R"(1/1 strict "a\n")", 1, 14,
     R"(bad escape '\n'; allowed: \\ \" \* \? and \xHH with two hexadecimal digits)"},
    {"bad_escape_of_a_tab", "1/1 strict \"a\\\t\"", 1, 14,
     R"(bad escape '\\x09'; allowed: \\ \" \* \? and \xHH with two hexadecimal digits)"},
    {"bad_hexadecimal", R"(1/1 strict "a\xg0")", 1, 14,
     R"(bad escape '\xg0'; allowed: \\ \" \* \? and \xHH with two hexadecimal digits)"},
    {"half_a_hexadecimal", R"(1/1 strict "a\x4")", 1, 14,
     R"(bad escape '\x4"'; allowed: \\ \" \* \? and \xHH with two hexadecimal digits)"},
    {"newline_escaped", R"(1/1 strict "a\x0a")", 1, 14, "'\\x0a' is a newline, which no key holds"},
    {"star_reference_in_pattern", R"(1/1 strict "a*\1")", 1, 15,
     R"('\1' in a pattern; allowed: \\ \" \* \? and \xHH with two hexadecimal digits)"},
    {"two_stars", "1/1 strict \"a**\"", 1, 15, "'**' matches what '*' matches; allowed: one star"},
    {"tab_between_quotes", "1/1 strict \"a\tb\"", 1, 14, "a tab between quotes; allowed: \\x09"},
    {"control_byte", "1/1 strict \"a\x07\"", 1, 14,
     "control byte 0x07; allowed: \\x07 between quotes"},
    {"control_byte_in_a_comment", "1/1 strict \"a\" # \x1b[0m", 1, 18,
     "control byte 0x1b; allowed: \\x1b between quotes"},
    {"carriage_return_inside", "1/1 strict \"a\r\"", 1, 14,
     "control byte 0x0d; allowed: \\x0d between quotes"},
    {"line_too_long", "# " + std::string(Rules::longest_line, 'x'), 1, 8193,
     "the line has 8194 bytes; allowed: at most 8192"},
    {"pattern_longer_than_a_key", "1/1 strict \"" + longest_literal + "?\"", 1, 12,
     "no key is that long: it needs 990 bytes, and a request has room for 989"},
    {"rewrite_missing", "1/1 strict \"a\" as", 1, 18,
     "key is missing; allowed: a key in double quotes, such as \"ws agents\""},
    {"rewrite_without_quotes", "1/1 strict \"a\" as b", 1, 19,
     "'b' is no key; allowed: a key in double quotes, such as \"ws agents\""},
    {"rewrite_not_closed", "1/1 strict \"a\" as \"b", 1, 19,
     "the quote is not closed; allowed: a closing \" in this line"},
    {"rewrite_with_a_star", "1/1 strict \"a*\" as \"b*\"", 1, 22,
     R"('*' in a key; allowed: \1 for what the first star stands for, \* for itself)"},
    {"rewrite_with_a_question_mark", "1/1 strict \"a?\" as \"b?\"", 1, 22,
     R"('?' in a key; allowed: \? for itself)"},
    {"rewrite_with_a_star_too_many", R"(1/1 strict "a*" as "\2")", 1, 21,
     R"('\2', but the pattern has 1 star; allowed: a star that it has)"},
    {"rewrite_without_stars", R"(1/1 strict "a" as "\1")", 1, 20,
     R"('\1', but the pattern has 0 stars; allowed: a star that it has)"},
    {"rewrite_with_a_star_twice", R"(1/1 strict "a*" as "\1\1")", 1, 23,
     R"('\1' comes twice; allowed: each star once)"},
    {"rewrite_longer_than_a_key", "1/1 strict \"a\" as \"" + longest_literal + "k\"", 1, 19,
     "the key has 990 bytes; allowed: at most 989"},
    {"text_after_the_pattern", "1/1 strict \"a\" \"b\"", 1, 16,
     "'\"b\"' after the rule; allowed: the end of the line, a # comment, or as with a key in "
     "double "
     "quotes"},
    {"text_after_the_key", "1/1 strict \"a\" as \"b\" stats", 1, 23,
     "'stats' after the rule; allowed: the end of the line, a # comment, or as with a key in "
     "double "
     "quotes"},
    {"equal_pattern", "1/1 strict \"a*\"\n\n2/1 strict \"a*\"", 3, 12,
     "no key comes here: the pattern of line 1 takes them all; the first rule that matches "
     "decides"},
    {"pattern_covered", "1/1 strict \"ws *\"\n2/1 strict \"ws ip=*\"", 2, 12,
     "no key comes here: the pattern of line 1 takes them all; the first rule that matches "
     "decides"},
    {"one_key_two_limits", "1/1 strict \"a*\" as \"k\"\n2/1 strict \"b*\" as \"k\"", 2, 20,
     "uses are counted under the same key as those of line 1, but the limits differ; allowed: one "
     "limit for a key"},
    {"own_key_and_rewritten_two_limits", "1/1 strict \"a*\" as \"k\"\n1/1 leaky \"k\"", 2, 11,
     "uses are counted under the same key as those of line 1, but the limits differ; allowed: one "
     "limit for a key"},
    {"too_many_rules", many_rules(Rules::most_rules + 1), Rules::most_rules + 1, 1,
     "more than 4096 rules; one rule with a '*' can take the keys of many"},
    {"long_word_is_cut", "22/20 " + std::string(100, 'x'), 1, 7,
     "'" + std::string(40, 'x') + "...' is no discipline; allowed: strict, leaky"},
    {"foreign_bytes_are_escaped",
     "\xef\xbb\xbf"
     "22/20 strict \"a\"",
     1, 1,
     "'\\xef\\xbb\\xbf22' is no number of uses; allowed: 1 to 9 digits, then at most a point and "
     "one "
     "digit"},
};

class RulesMistake : public ::testing::TestWithParam<Mistake> {};

TEST_P(RulesMistake, IsToldWithLineColumnAndReason) {
  const auto read = Rules::parse(GetParam().text);
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().reason, GetParam().reason);
  EXPECT_EQ(read.error().line, GetParam().line);
  EXPECT_EQ(read.error().column, GetParam().column);
}

INSTANTIATE_TEST_SUITE_P(Each, RulesMistake, ::testing::ValuesIn(mistakes),
                         [](const auto& row) { return row.param.name; });

/// The messages in the table of docs/rules.md, as far as they are written out.
std::vector<std::string> documented_messages() {
  std::ifstream in(places::source("docs/rules.md"));
  std::vector<std::string> messages;
  bool in_table = false;
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("## ")) in_table = line == "## Mistakes";
    const std::size_t begin = line.find("| `");
    if (!in_table || begin == std::string::npos || begin == 0) continue;
    const std::string message = line.substr(begin + 3, line.rfind('`') - begin - 3);
    messages.push_back(message.substr(0, message.find("\u2026")));
  }
  return messages;
}

TEST(RulesMistakes, AreDocumentedAsTheyAreTold) {
  std::string told =
      "cannot read my.rules: No such file or directory; expected a file of rules\n"
      "/dev/zero is larger than 16 MiB, the most that a file of rules may have\n";
  for (const Mistake& mistake : mistakes) told += mistake.reason + "\n";
  const auto documented = documented_messages();
  EXPECT_EQ(documented.size(), 28U);
  for (const std::string& message : documented) EXPECT_THAT(told, HasSubstr(message));
}

TEST(Rules, WhatIsJustAllowedIsTaken) {
  EXPECT_EQ(rules(many_rules(Rules::most_rules)).rules().size(), Rules::most_rules);
  EXPECT_TRUE(limits("1/1 strict \"" + longest_literal + "\"", longest_literal));
  const std::string comment(Rules::longest_line - 15, 'x');
  EXPECT_TRUE(limits("1/1 strict \"a\" #" + comment.substr(1), "a"));
  // Two rules may count under one key when the limit is one.
  EXPECT_EQ(rules("1/1 strict \"a*\" as \"k\"\n1/1 strict \"b*\" as \"k\"").rules().size(), 2U);
}

TEST(Rules, AMistakeIsALineForPeople) {
  EXPECT_EQ(to_string(RulesError{3, 7, "why"}, "my.rules"), "my.rules:3:7: why");
}

TEST(RulesFile, IsReadOrRefusedInOneLine) {
  const std::string path = ::testing::TempDir() + "rules_file_test.rules";
  std::ofstream(path) << "1/1 strict \"a\"\n1/0 strict \"b\"\n";
  EXPECT_EQ(read_rules_file(path).error().message,
            path + ":2:3: '0' is no period; allowed: 1 to 2147483647 seconds");
  std::ofstream(path) << "1/1 strict \"a\"\n";
  EXPECT_EQ(read_rules_file(path)->rules().size(), 1U);
  std::ofstream(path) << "";
  EXPECT_THAT(read_rules_file(path).error().message, StartsWith(path + ":1:1: no rule"));
  EXPECT_EQ(read_rules_file("/nowhere/rules").error().message,
            "cannot read /nowhere/rules: No such file or directory; expected a file of rules");
  EXPECT_EQ(read_rules_file("/").error().message,
            "cannot read /: Is a directory; expected a file of rules");
  EXPECT_EQ(read_rules_file("/dev/zero").error().message,
            "/dev/zero is larger than 16 MiB, the most that a file of rules may have");
  std::remove(path.c_str());
}

TEST(ExampleRules, AreTheShippedFileAndLimitTheKeysOfTheDocument) {
  std::ifstream in(places::source("docs/example.rules"));
  std::ostringstream text;
  text << in.rdbuf();
  EXPECT_EQ(text.str(), example_rules_text());
  EXPECT_EQ(*example_rules().match("ws global").limit, (Limit{2500, 10}));
  EXPECT_EQ(*example_rules().match("ws ip=74.11.99.155").limit, (Limit{22, 20}));
  EXPECT_TRUE(example_rules().match("some-key").limit->statistics);
  EXPECT_EQ(example_rules().match("").limit, nullptr);
}

}  // namespace
}  // namespace hallmark::protocol::ratelimit
