#include "base/glob.hpp"

#include <gtest/gtest.h>

#include <string>

namespace hallmark::base {
namespace {

struct Row {
  std::string name, glob, text;
  bool matches;
};

class GlobRows : public ::testing::TestWithParam<Row> {};

TEST_P(GlobRows, Match) {
  EXPECT_EQ(glob_matches(GetParam().glob, GetParam().text), GetParam().matches);
}

INSTANTIATE_TEST_SUITE_P(
    Rows, GlobRows,
    ::testing::Values(Row{"equal", "a/b", "a/b", true}, Row{"prefix", "a", "ab", false},
                      Row{"longer", "ab", "a", false}, Row{"star_all", "*", "a/b#c", true},
                      Row{"star_nothing", "*", "", true}, Row{"star_inside", "a*c", "a/b/c", true},
                      Row{"star_end", "a/*", "a/", true},
                      Row{"star_again", "*ab*ab", "xabyabab", true},
                      Row{"star_fails", "*ab*ac", "xabyabab", false},
                      Row{"point_in_front", "*b", ".b", true}, Row{"one", "a?c", "abc", true},
                      Row{"one_slash", "a?c", "a/c", true}, Row{"one_missing", "a?", "a", false},
                      Row{"stars", "a**", "a", true}, Row{"empty", "", "", true},
                      Row{"empty_glob", "", "a", false}, Row{"set", "[ab-d]x", "cx", true},
                      Row{"set_without", "[ab-d]x", "ex", false}, Row{"others", "[^ab]", "c", true},
                      Row{"not_others", "[^ab]", "a", false}, Row{"literal_star", "\\*", "*", true},
                      Row{"literal_star_only", "\\*", "a", false},
                      Row{"byte_zero", "a*", std::string("a\0b", 3), true},
                      Row{"behind_byte_zero", "a", std::string("a\0b", 3), false},
                      Row{"not_utf8", "\xc3?", "\xc3\xa9", true}),
    [](const auto& row) { return row.param.name; });

TEST(Glob, OfManyStarsIsNotExponential) {
  std::string glob;
  for (int i = 0; i < 30; ++i) glob += "*a";
  EXPECT_FALSE(glob_matches(glob + "b", std::string(2000, 'a')));
}

TEST(Glob, MatchesOneTextAfterTheOther) {
  Glob glob("user:?");
  EXPECT_TRUE(glob.matches("user:1"));
  EXPECT_FALSE(glob.matches("user:12"));
  EXPECT_TRUE(glob.matches("user:2"));
}

TEST(Glob, LiteralPrefixEndsAtTheFirstSpecialCharacter) {
  EXPECT_EQ(Glob("user:*").literal_prefix(), "user:");
  EXPECT_EQ(Glob("user:?x").literal_prefix(), "user:");
  EXPECT_EQ(Glob("a[bc]").literal_prefix(), "a");
  EXPECT_EQ(Glob("a\\*").literal_prefix(), "a");
  EXPECT_EQ(Glob("whole").literal_prefix(), "whole");
  EXPECT_EQ(Glob("*").literal_prefix(), "");
}

}  // namespace
}  // namespace hallmark::base
