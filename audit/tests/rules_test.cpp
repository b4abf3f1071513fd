#include "audit/rules.hpp"

#include <gmock/gmock.h>

namespace hallmark::audit {
namespace {

using ::testing::HasSubstr;

Rules parse(std::string_view json) {
  auto rules = Rules::parse(json);
  EXPECT_TRUE(rules.has_value()) << rules.error().message;
  return rules ? *std::move(rules) : Rules();
}

TEST(Rules, TheFirstThatMatchesDecides) {
  Rules rules = parse(R"({"rules":[{"match":"rl:tb:*","strategy":"token-bucket"},
                                   {"match":"rl:*","strategy":"gcra"}]})");
  EXPECT_EQ(rules.rule_for("rl:tb:1")->hints().taken.strategy, "token-bucket");
  EXPECT_EQ(rules.rule_for("rl:1")->hints().taken.strategy, "gcra");
  EXPECT_EQ(rules.rule_for("other"), nullptr);
}

TEST(Rules, OfComposites) {
  Rules rules = parse(R"({"rules":[{"strategy":"composite",
      "primary":{"strategy":"fixed-window","quota":"hourly"},"secondary":{"strategy":"gcra"}}]})");
  const model::MigrationHints hints = rules.rule_for("any")->hints();
  EXPECT_EQ(hints.taken.strategy, "composite");
  EXPECT_EQ(hints.taken.primary, "fixed-window");
  EXPECT_EQ(hints.primary_quota, "hourly");
  EXPECT_EQ(hints.taken.secondary, "gcra");
}

TEST(Rules, OfMerges) {
  Rules rules =
      parse(R"({"rules":[{"match":"rl:*","strategy":"fixed-window","merge":"{key}:{quota}",
                                    "quotas":["default","hourly"]}]})");
  const MergePattern& merge = *rules.rule_for("rl:alice:hourly")->merge;
  const auto part = merge.part_of("rl:alice:hourly");
  ASSERT_TRUE(part.has_value());
  EXPECT_EQ(part->key, "rl:alice");
  EXPECT_EQ(part->quota, "hourly");
  EXPECT_EQ(merge.key_of("rl:alice", "default"), "rl:alice:default");
  EXPECT_FALSE(merge.part_of("rl:alice").has_value());
  EXPECT_FALSE(merge.part_of("rl:alice:daily").has_value());
}

struct Place {
  std::string pattern, key, whole, quota;
};

TEST(MergePattern, FindsThePlacesInAnyOrder) {
  for (const auto& [pattern, key, whole, quota] :
       {Place{"{key}:{quota}", "a:b:q", "a:b", "q"}, Place{"{quota}/{key}", "q/x", "x", "q"},
        Place{"<{key}|{quota}>", "<k|q>", "k", "q"},
        Place{"rl-{quota}-{key}-end", "rl-q-k-end", "k", "q"}}) {
    const auto merge = MergePattern::parse(pattern, {"other", "q"}).value();
    const auto part = merge.part_of(key);
    ASSERT_TRUE(part.has_value()) << pattern;
    EXPECT_EQ(part->key, whole);
    EXPECT_EQ(part->quota, quota);
    EXPECT_EQ(merge.key_of(whole, quota), key);
  }
  const auto merge = MergePattern::parse("<{key}|{quota}>", {"q"}).value();
  for (const char* const no : {"", "<", "<|q>", "<k|q", "k|q>", "<k|p>", "<kq>"})
    EXPECT_FALSE(merge.part_of(no).has_value()) << no;
}

struct Refused {
  std::string name, json, message;
};

void PrintTo(const Refused& row, std::ostream* out) { *out << row.name; }

class Refusals : public ::testing::TestWithParam<Refused> {};

TEST_P(Refusals, SayWhereAndWhat) {
  const auto rules = Rules::parse(GetParam().json);
  ASSERT_FALSE(rules.has_value());
  EXPECT_THAT(rules.error().message, HasSubstr(GetParam().message));
}

const Refused refused[] = {
    {"NoJson", "{", "line 1, column 2: the text ends"},
    {"NoObject", "[]", "line 1, column 1: expected an object, came an array"},
    {"NoRules", "{}", "'rules' is missing"},
    {"UnknownMember", R"({"rules":[{"strategy":"gcra","quotta":"x"}]})",
     "/rules/0/quotta: unknown member, expected one of match, strategy"},
    {"Twice", R"({"rules":[{"strategy":"gcra","strategy":"gcra"}]})", "two members 'strategy'"},
    {"NoStrategy", R"({"rules":[{"match":"a"}]})", "rule 1: no strategy"},
    {"UnknownStrategy", R"({"rules":[{"strategy":"log"}]})",
     "strategy 'log'; allowed: token-bucket"},
    {"EmptyMatch", R"({"rules":[{"match":"","strategy":"gcra"}]})", "match ''"},
    {"QuotaOfOther", R"({"rules":[{"strategy":"gcra","quota":"x"}]})",
     "only a fixed-window has quotas"},
    {"QuotaWithBar", R"({"rules":[{"strategy":"fixed-window","quota":"a|b"}]})", "quota 'a|b'"},
    {"PartsOfSingle", R"({"rules":[{"strategy":"gcra","primary":{"strategy":"gcra"}}]})",
     "only a composite has parts"},
    {"NumberForString", R"({"rules":[{"strategy":5}]})", "/rules/0/strategy: expected a string"},
    {"MergeOfOther", R"({"rules":[{"strategy":"gcra","merge":"{key}:{quota}","quotas":["a"]}]})",
     "only a fixed-window had a key for each quota"},
    {"MergeWithoutQuotas", R"({"rules":[{"strategy":"fixed-window","merge":"{key}:{quota}"}]})",
     "0 quotas to merge; expected 1 to 8"},
    {"QuotasWithoutMerge", R"({"rules":[{"strategy":"fixed-window","quotas":["a"]}]})",
     "/rules/0/quotas: expected merge"},
    {"QuotaTwice",
     R"({"rules":[{"strategy":"fixed-window","merge":"{key}:{quota}","quotas":["a","a"]}]})",
     "quota 'a' twice"},
    {"PlaceMissing", R"({"rules":[{"strategy":"fixed-window","merge":"{key}","quotas":["a"]}]})",
     "each of them once"},
    {"PlacesTouch",
     R"({"rules":[{"strategy":"fixed-window","merge":"{key}{quota}","quotas":["a"]}]})",
     "with something between them"},
    {"ControlCharacterInMerge",
     R"({"rules":[{"strategy":"fixed-window","merge":"{key\u001b}","quotas":["a"]}]})",
     "merge '{key\\x1b}'"},
    {"ControlCharacterInQuota", R"({"rules":[{"strategy":"fixed-window","quota":"\u001b|"}]})",
     "quota '\\x1b|'"},
    {"ControlCharacterInStrategy", R"({"rules":[{"strategy":"\n"}]})", "strategy '\\x0a'"},
};

INSTANTIATE_TEST_SUITE_P(Rows, Refusals, ::testing::ValuesIn(refused),
                         [](const auto& row) { return row.param.name; });

TEST(Rules, KnowWhichOfThemNoKeyMatched) {
  Rules rules = Rules::parse(R"({"rules":[{"match":"a*","strategy":"gcra"},
      {"match":"a:1","strategy":"gcra"},{"match":"b","strategy":"gcra"}]})")
                    .value();
  EXPECT_THAT(rules.unused(), testing::ElementsAre("a*", "a:1", "b"));
  rules.rule_for("a:1");
  rules.rule_for("c");
  EXPECT_THAT(rules.unused(), testing::ElementsAre("a:1", "b"));
}

TEST(Rules, AnOnlyOneHasNoNumberInItsErrors) {
  EXPECT_EQ(Rules::only({.whole = {.strategy = "gcra"}})->rule_for("any")->whole.strategy, "gcra");
  const auto only = Rules::only({.whole = {.strategy = "log"}});
  ASSERT_FALSE(only.has_value());
  EXPECT_THAT(only.error().message, testing::StartsWith("strategy 'log'; allowed: "));
}

}  // namespace
}  // namespace hallmark::audit
