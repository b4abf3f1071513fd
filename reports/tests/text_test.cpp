#include "reports/text.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace hallmark::reports {
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

TEST(Hex, WithAndWithoutSeparator) {
  const std::uint8_t bytes[] = {0x00, 0x9f, 0xff};
  EXPECT_EQ(hex(bytes), "00 9f ff");
  EXPECT_EQ(hex(bytes, ""), "009fff");
  EXPECT_EQ(hex({}), "");
}

struct DurationRow {
  std::int64_t nanoseconds;
  const char* text;
};

void PrintTo(const DurationRow& row, std::ostream* out) { *out << row.text; }

class HumanDuration : public testing::TestWithParam<DurationRow> {};

TEST_P(HumanDuration, HasThreeDigits) {
  EXPECT_EQ(human_duration(std::chrono::nanoseconds(GetParam().nanoseconds)), GetParam().text);
}

INSTANTIATE_TEST_SUITE_P(
    Rows, HumanDuration,
    testing::Values(DurationRow{0, "0 ns"}, DurationRow{999, "999 ns"},
                    DurationRow{1000, "1.00 µs"}, DurationRow{9994, "9.99 µs"},
                    DurationRow{9996, "10.0 µs"}, DurationRow{99'960, "100 µs"},
                    DurationRow{999'499, "999 µs"}, DurationRow{999'500, "1.00 ms"},
                    DurationRow{1'234'000'000, "1.23 s"}, DurationRow{3'600'000'000'000, "3600 s"}),
    [](const auto& row) { return std::to_string(row.param.nanoseconds); });

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

TEST(IsoUtc, ReachesAllFourDigitYears) {
  using namespace std::chrono;
  EXPECT_EQ(iso_utc(sys_days(year(9999) / 12 / 31) + 86'399'999ms), "9999-12-31T23:59:59.999Z");
}

TEST(IsoUtc, HasMilliseconds) {
  EXPECT_EQ(iso_utc({}), "1970-01-01T00:00:00.000Z");
  EXPECT_EQ(iso_utc(std::chrono::sys_time<std::chrono::milliseconds>(
                std::chrono::milliseconds(1'714'566'600'250))),
            "2024-05-01T12:30:00.250Z");
}

}  // namespace
}  // namespace hallmark::reports
