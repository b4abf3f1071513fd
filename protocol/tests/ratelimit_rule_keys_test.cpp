#include "protocol/rules/ratelimit_rule_keys.hpp"

#include <gmock/gmock.h>

#include "protocol/tests/rules.hpp"

namespace hallmark::protocol::ratelimit {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;
using Users = RuleKeys::Users;

struct RuleFile {
  const char* name;
  std::string text;  ///< of the file; the keys are those of its last rule
  bool any = true;
  bool several = true;
  Users users = Users::nobody;
  std::string why = {};
};

void PrintTo(const RuleFile& row, std::ostream* out) { *out << row.name; }

class RuleKeysOf : public ::testing::TestWithParam<RuleFile> {};

TEST_P(RuleKeysOf, ReachTheRuleAndSayWhoElseHasThem) {
  const Rules read = rules(GetParam().text);
  const RuleKeys keys(read, read.rules().back());
  EXPECT_EQ(keys.any(), GetParam().any) << keys.why();
  EXPECT_THAT(keys.why(), HasSubstr(GetParam().why));
  if (!GetParam().any) return;
  EXPECT_EQ(keys.users(), GetParam().users) << keys.why();
  EXPECT_EQ(keys.several(), GetParam().several);
  EXPECT_EQ(keys.why().empty(), GetParam().users != Users::everybody);
  std::uint64_t next = 0;
  std::string before;
  for (int i = 0; i < 50; ++i) {
    const auto key = keys.key(123, next);
    ASSERT_TRUE(key);
    EXPECT_LE(key->size(), longest_key);
    EXPECT_EQ(read.match(*key).limit, &keys.rule().limit) << *key;
    EXPECT_EQ(keys.counted_under(*key) != before, keys.several() || i == 0);
    before = keys.counted_under(*key);
  }
}

std::string many_stars() {
  std::string pattern;
  for (int i = 0; i < 60; ++i) pattern += "x*";
  return "1/1 strict \"" + pattern + "\"";
}

const RuleFile rule_files[] = {
    {"Address", "22/20 strict \"ws ip=*\""},
    {"Text", "22/20 strict \"ws ua=*\""},
    {"Network", "22/20 strict \"ws ip=10.*\"", true, true, Users::everybody, "real users"},
    {"OneKey", "22/20 strict \"ws global\"", true, false, Users::everybody, "it has one key"},
    {"FewKeys", "22/20 strict \"shard ?\"", true, false, Users::everybody, "it has few keys"},
    {"CountedTogether", "1/1 strict \"ws ua=*\" as \"ws agents\"", true, false, Users::everybody,
     "its uses are counted under \"ws agents\""},
    {"CountedByOctets", R"(100/60 strict "net *.*.*.*" as "net \1.\2")", true, true, Users::runs},
    {"ByThreeOctets", R"(100/60 strict "net *.*.*.*" as "net \2.\3.\4")", true, true,
     Users::nobody},
    {"StarsThatTakeFromEachOther", R"(1/1 strict "*:*" as "\1")"},
    {"BehindOneThatTakesAllAddresses", "2/1 strict \"ws ip=24*\"\n3/1 strict \"ws ip=*\"", false,
     false, Users::everybody, "line 1 takes the keys that were made for it"},
    {"BehindOneThatTakesSomeAddresses", "1/1 strict \"ws ip=*1*\"\n3/1 strict \"ws ip=*\"", true,
     true, Users::nobody},
    {"BehindOneThatTakesTheReadableText", "1/1 strict \"*:*\"\n2/1 strict \"ws ua=*\""},
    {"BehindOneThatTakesLetters", "1/1 strict \"*a*\"\n2/1 strict \"z *\""},
    {"ManyStars", many_stars()},
    {"TooLong", "1/1 strict \"" + std::string(980, 'k') + "*\"", false, false, Users::everybody,
     "its keys are too long"},
    {"Everything", "1/1 strict \"*\""}};

INSTANTIATE_TEST_SUITE_P(Rows, RuleKeysOf, ::testing::ValuesIn(rule_files),
                         [](const auto& row) { return std::string(row.param.name); });

TEST(RuleKeys, AreThoseOfTheTemplateThatIsGiven) {
  const Rules read = rules("1/1 strict \"user *\"\n2/1 strict \"ws ip=*\"\n");
  const auto text = KeyTemplate::parse("ws ip=10.99.{octet}.{octet}");
  const auto rule = rule_of(read, *text, "as typed");
  ASSERT_TRUE(rule);
  EXPECT_EQ(*rule, &read.rules()[1]);
  const RuleKeys keys(read, **rule, &*text);
  std::uint64_t next = 0;
  EXPECT_THAT(*keys.key(1, next), StartsWith("ws ip=10.99."));
  EXPECT_EQ(keys.users(), Users::runs);
}

TEST(RuleKeys, DifferWhereTheyAreCountedTogether) {
  const Rules read = rules("1/1 strict \"ws ua=*\" as \"ws agents\"");
  const RuleKeys keys(read, read.rules()[0]);
  std::uint64_t next = 0;
  const auto first = keys.key(1, next);
  EXPECT_NE(first, keys.key(1, next));
}

TEST(RuleKeys, AKeyWithoutARuleIsFoundBesideThem) {
  const auto found = [](const std::string& text) {
    const Rules read = rules(text);
    std::uint64_t next = 0;
    const auto key = unruled_key(read, 7, next);
    return key && read.match(*key).limit == nullptr;
  };
  EXPECT_TRUE(found("1/1 strict \"ws ip=*\""));
  EXPECT_TRUE(found("1/1 strict \"*a*\"\n1/1 strict \"*:*\""));
  EXPECT_FALSE(found("1/1 strict \"*\""));
}

TEST(RuleKeys, ATemplateIsForOneRule) {
  const Rules read = rules("1/1 strict \"user *7\"\n2/1 strict \"user *\"\n");
  const auto refusal = [&](std::string_view text) {
    const auto rule = rule_of(read, *KeyTemplate::parse(text), text);
    return rule ? "none" : rule.error().message;
  };
  EXPECT_EQ(refusal("user {}x"), "none");
  EXPECT_THAT(refusal("guest {}"), HasSubstr("which no rule is for"));
}

}  // namespace
}  // namespace hallmark::protocol::ratelimit
