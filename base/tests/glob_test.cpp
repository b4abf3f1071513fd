#include "base/glob.hpp"

#include <gtest/gtest.h>

#include <string>

namespace hallmark::base {
namespace {

struct GlobMatch {
  std::string name, glob, text;
  bool matches;
};

class GlobRows : public ::testing::TestWithParam<GlobMatch> {};

TEST_P(GlobRows, Match) {
  EXPECT_EQ(glob_matches(GetParam().glob, GetParam().text), GetParam().matches);
}

INSTANTIATE_TEST_SUITE_P(
    Rows, GlobRows,
    ::testing::Values(
        GlobMatch{"equal", "a/b", "a/b", true}, GlobMatch{"prefix", "a", "ab", false},
        GlobMatch{"longer", "ab", "a", false}, GlobMatch{"star_all", "*", "a/b#c", true},
        GlobMatch{"star_nothing", "*", "", true}, GlobMatch{"star_inside", "a*c", "a/b/c", true},
        GlobMatch{"star_end", "a/*", "a/", true},
        GlobMatch{"star_again", "*ab*ab", "xabyabab", true},
        GlobMatch{"star_fails", "*ab*ac", "xabyabab", false},
        GlobMatch{"point_in_front", "*b", ".b", true}, GlobMatch{"one", "a?c", "abc", true},
        GlobMatch{"one_slash", "a?c", "a/c", true}, GlobMatch{"one_missing", "a?", "a", false},
        GlobMatch{"stars", "a**", "a", true}, GlobMatch{"empty", "", "", true},
        GlobMatch{"empty_glob", "", "a", false}, GlobMatch{"set", "[ab-d]x", "cx", true},
        GlobMatch{"set_without", "[ab-d]x", "ex", false}, GlobMatch{"others", "[^ab]", "c", true},
        GlobMatch{"not_others", "[^ab]", "a", false}, GlobMatch{"literal_star", "\\*", "*", true},
        GlobMatch{"literal_star_only", "\\*", "a", false},
        GlobMatch{"byte_zero", "a*", std::string("a\0b", 3), true},
        GlobMatch{"behind_byte_zero", "a", std::string("a\0b", 3), false},
        GlobMatch{"byte_zero_is_no_other", "\1", std::string("\0", 1), false},
        GlobMatch{"not_utf8", "\xc3?", "\xc3\xa9", true}),
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
