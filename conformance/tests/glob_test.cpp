#include "conformance/glob.hpp"

#include <gtest/gtest.h>

#include <string>

namespace hallmark::conformance {
namespace {

struct Row {
  std::string name, glob, text;
  bool matches;
};

class Glob : public ::testing::TestWithParam<Row> {};

TEST_P(Glob, Matches) {
  EXPECT_EQ(glob_matches(GetParam().glob, GetParam().text), GetParam().matches);
}

INSTANTIATE_TEST_SUITE_P(
    Rows, Glob,
    ::testing::Values(Row{"equal", "a/b", "a/b", true}, Row{"prefix", "a", "ab", false},
                      Row{"longer", "ab", "a", false}, Row{"star_all", "*", "a/b#c", true},
                      Row{"star_nothing", "*", "", true}, Row{"star_inside", "a*c", "a/b/c", true},
                      Row{"star_end", "a/*", "a/", true},
                      Row{"star_again", "*ab*ab", "xabyabab", true},
                      Row{"star_fails", "*ab*ac", "xabyabab", false},
                      Row{"one", "a?c", "abc", true}, Row{"one_missing", "a?", "a", false},
                      Row{"stars", "a**", "a", true}, Row{"empty", "", "", true},
                      Row{"empty_glob", "", "a", false}),
    [](const auto& row) { return row.param.name; });

TEST(Glob, OfManyStarsIsNotExponential) {
  std::string glob;
  for (int i = 0; i < 30; ++i) glob += "*a";
  EXPECT_FALSE(glob_matches(glob + "b", std::string(2000, 'a')));
}

}  // namespace
}  // namespace hallmark::conformance
