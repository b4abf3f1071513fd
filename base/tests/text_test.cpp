#include "base/text.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace hallmark::base {
namespace {

struct TextRow {
  const char* name;
  std::string in;
  std::string out;
};

void PrintTo(const TextRow& row, std::ostream* out) { *out << row.name; }

std::string row_name(const testing::TestParamInfo<TextRow>& row) { return row.param.name; }

class Printable : public testing::TestWithParam<TextRow> {};

TEST_P(Printable, EscapesWhatSteersOrIsBroken) {
  EXPECT_EQ(printable(GetParam().in), GetParam().out);
  EXPECT_EQ(printable(GetParam().out), GetParam().out) << "not idempotent";
}

INSTANTIATE_TEST_SUITE_P(
    Rows, Printable,
    testing::Values(TextRow{"Plain", "abc ~", "abc ~"}, TextRow{"Empty", "", ""},
                    TextRow{"Utf8", "é … 𝛼", "é … 𝛼"}, TextRow{"Escape", "\x1b[2J", "\\x1b[2J"},
                    TextRow{"Newline", "a\nb", "a\\x0ab"},
                    TextRow{"Nul", std::string("a\0b", 3), "a\\x00b"},
                    TextRow{"Delete", "\x7f", "\\x7f"},
                    TextRow{"C1Control", "\xc2\x9b", "\\xc2\\x9b"},
                    TextRow{"BidiOverride", "\xe2\x80\xae", "\\xe2\\x80\\xae"},
                    TextRow{"LoneContinuation", "\x80", "\\x80"},
                    TextRow{"CutShort", "a\xe2\x80", "a\\xe2\\x80"},
                    TextRow{"Overlong", "\xe0\x80\xaf", "\\xe0\\x80\\xaf"},
                    TextRow{"Surrogate", "\xed\xa0\x80", "\\xed\\xa0\\x80"},
                    TextRow{"Noncharacter", "\xef\xbf\xbf", "\\xef\\xbf\\xbf"},
                    TextRow{"BeyondUnicode", "\xf4\x90\x80\x80", "\\xf4\\x90\\x80\\x80"},
                    TextRow{"NeverALead", "\xff\xc0", "\\xff\\xc0"}),
    row_name);

TEST(Shorten, CutsByCodePoints) {
  EXPECT_EQ(shorten("abcdef", 6), "abcdef");
  EXPECT_EQ(shorten("abcdef", 5), "abcd…");
  EXPECT_EQ(shorten("éééé", 3), "éé…");
  EXPECT_EQ(display_width(shorten("ééééé", 3)), 3U);
}

TEST(IsQuotable, IsPrintableAsciiWithoutAQuote) {
  EXPECT_TRUE(is_quotable(""));
  EXPECT_TRUE(is_quotable(" a~"));
  for (const auto* const text : {"a\"", "a\n", "\x7f", "é"})
    EXPECT_FALSE(is_quotable(text)) << text;
}

TEST(Excerpt, IsPrintableAndShort) {
  EXPECT_EQ(excerpt("a\nb", 20), "a\\x0ab");
  EXPECT_EQ(excerpt("abc\x1b[2J", 5), "abc\\…");
}

TEST(QuotedCharacter, IsNamedIfItDoesNotPrint) {
  EXPECT_EQ(quoted_character('x'), "'x'");
  EXPECT_EQ(quoted_character(' '), "' '");
  EXPECT_EQ(quoted_character('\n'), "byte 0a");
  EXPECT_EQ(quoted_character('\x7f'), "byte 7f");
  EXPECT_EQ(quoted_character('\xff'), "byte ff");
}

TEST(Grouped, SeparatesThousands) {
  EXPECT_EQ(grouped(0), "0");
  EXPECT_EQ(grouped(999), "999");
  EXPECT_EQ(grouped(1000), "1,000");
  EXPECT_EQ(grouped(std::numeric_limits<std::uint64_t>::max()), "18,446,744,073,709,551,615");
}

TEST(Counted, ChoosesTheForm) {
  EXPECT_EQ(counted(1, "case", "cases"), "1 case");
  EXPECT_EQ(counted(0, "case", "cases"), "0 cases");
}

TEST(EitherOf, JoinsAllButTheLastByCommas) {
  EXPECT_EQ(either_of({}), "");
  EXPECT_EQ(either_of({"a"}), "a");
  EXPECT_EQ(either_of({"a", "b"}), "a or b");
  EXPECT_EQ(either_of({"a", "b", "c"}), "a, b or c");
}

TEST(Case, IsChangedOfLettersOfAsciiOnly) {
  EXPECT_EQ(lower_case("AZ@[az é09"), "az@[az é09");
  EXPECT_EQ(upper_case("AZ`{az é09"), "AZ`{AZ é09");
}

TEST(Case, IsIgnoredOfLettersOfAsciiOnly) {
  EXPECT_TRUE(equal_ignoring_case("Insert", "iNSERT"));
  EXPECT_TRUE(equal_ignoring_case("", ""));
  EXPECT_FALSE(equal_ignoring_case("insert", "insert "));
  EXPECT_FALSE(equal_ignoring_case("@", "`"));
}

TEST(Split, GivesOnePartMoreThanThereAreSeparators) {
  using Parts = std::vector<std::string_view>;
  EXPECT_EQ(split("", ','), Parts{""});
  EXPECT_EQ(split("a", ','), Parts{"a"});
  EXPECT_EQ(split("a,b", ','), (Parts{"a", "b"}));
  EXPECT_EQ(split(",a,,", ','), (Parts{"", "a", "", ""}));
}

TEST(TakeLine, LosesTheEndOfTheLine) {
  std::string_view text = "a\r\n\nb\r";
  EXPECT_EQ(take_line(text), "a");
  EXPECT_EQ(take_line(text), "");
  EXPECT_EQ(text, "b\r");
  EXPECT_EQ(take_line(text), "b");
  EXPECT_EQ(text, "");
  EXPECT_EQ(take_line(text), "");
}

}  // namespace
}  // namespace hallmark::base
