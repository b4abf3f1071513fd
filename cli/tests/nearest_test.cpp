#include "cli/options/nearest.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace hallmark::cli {
namespace {

const std::vector<std::string> names = {"deadline", "dialect", "exclude", "exclusive",
                                        "filter",   "json",    "junit",   "known-failures",
                                        "width",    "tap",     "profile"};

struct Misspelling {
  const char* name;
  const char* came;
  std::optional<std::string> meant;
};

void PrintTo(const Misspelling& row, std::ostream* out) { *out << row.name; }

class Nearest : public testing::TestWithParam<Misspelling> {};

TEST_P(Nearest, IsFound) { EXPECT_EQ(nearest(GetParam().came, names), GetParam().meant); }

const Misspelling rows[] = {
    {"Swapped", "wdith", "width"},
    {"LeftOut", "dialct", "dialect"},
    {"Added", "fillter", "filter"},
    {"Replaced", "proFile", "profile"},
    {"ShortName", "tab", "tap"},
    {"Beginning", "known", "known-failures"},
    {"FirstOfEquallyNear", "exclu", "exclude"},
    {"ItselfBeforeOneThatItBegins", "exclusive", "exclusive"},
    {"TwoLettersBeginNothing", "de", std::nullopt},
    {"NothingAlike", "quorum", std::nullopt},
    {"HalfOfItIsWrong", "widget", std::nullopt},
    {"Empty", "", std::nullopt},
};

INSTANTIATE_TEST_SUITE_P(Rows, Nearest, testing::ValuesIn(rows),
                         [](const auto& row) { return std::string(row.param.name); });

TEST(DidYouMean, OtherwiseStandsWhereNoneIsNear) {
  EXPECT_EQ(did_you_mean("jsno", names, "; see --help"), "; did you mean json?");
  EXPECT_EQ(did_you_mean("quorum", names, "; see --help"), "; see --help");
}

}  // namespace
}  // namespace hallmark::cli
