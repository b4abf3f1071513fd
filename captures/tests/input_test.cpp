#include "captures/input.hpp"

#include <gmock/gmock.h>

#include "captures/tests/told.hpp"

namespace hallmark::captures {
namespace {

using testing::HasSubstr;

struct Spelling {
  const char* name;
  const char* text;
};

void PrintTo(const Spelling& spelling, std::ostream* out) { *out << spelling.name; }

class HexSpelling : public testing::TestWithParam<Spelling> {};

TEST_P(HexSpelling, IsRead) {
  EXPECT_EQ(*parse_hex(GetParam().text), (Bytes{0x02, 0x03, 0xab, 0xcd}));
  EXPECT_EQ(*detect(GetParam().text), InputFormat::hex);
}

INSTANTIATE_TEST_SUITE_P(
    Rows, HexSpelling,
    testing::Values(Spelling{"Plain", "0203abcd"}, Spelling{"UpperCase", "0203ABCD"},
                    Spelling{"Blanks", " 02 03\tab cd \n"}, Spelling{"Lines", "0203\r\nabcd\r\n"},
                    Spelling{"Commas", "02, 03, ab, cd"}, Spelling{"Colons", "02:03:ab:cd"},
                    Spelling{"Prefixes", "0x02 0x03 0xab 0xCD"},
                    Spelling{"PrefixedList", "0x2,0x3,0xab,0xcd"},
                    Spelling{"PrefixesInARow", "0x020x030xab0xcd"},
                    Spelling{"LongPrefixed", "0x0203abcd"},
                    Spelling{"Escapes", "\\x02\\x03\\xab\\xcd"},
                    Spelling{"Comments", "# what was sent\n0203 # size\nabcd"}),
    [](const auto& row) { return std::string(row.param.name); });

TEST(Hex, WhatIsNoneIsNamedWithItsLine) {
  EXPECT_EQ(parse_hex("02\n03 zz").error().message,
            "not hex: 'z' is no hexadecimal digit in line 2");
  EXPECT_EQ(parse_hex("02 3").error().message, "not hex: '3' is half a byte in line 1");
  EXPECT_EQ(parse_hex("0x").error().message,
            "not hex: the end of the line is no hexadecimal digit in line 1");
  EXPECT_EQ(parse_hex("02\x01").error().message,
            "not hex: byte 01 is no hexadecimal digit in line 1");
}

TEST(Hex, ALongLineTakesTimeInProportion) {
  // Counting the digits of the rest at each byte would take 10^12 steps.
  constexpr std::size_t bytes = 2'000'000;
  const auto parsed = parse_hex(std::string(2 * bytes, 'a'));
  ASSERT_TRUE(parsed.has_value());
  EXPECT_EQ(parsed->size(), bytes);
}

TEST(Detect, TellsFormatsApart) {
  EXPECT_EQ(*detect("AgNhYmM="), InputFormat::base64);
  EXPECT_EQ(*detect("abcd"), InputFormat::hex) << "hex where both could be meant";
  EXPECT_EQ(*detect("> 02\n< 00"), InputFormat::hex);
  EXPECT_EQ(*detect(std::string_view("\x02\x03"
                                     "abc")),
            InputFormat::binary);
  EXPECT_EQ(*detect("\xd4\xc3\xb2\xa1rest"), InputFormat::capture);
}

TEST(Detect, HexThatLacksADigitIsNotTakenForBase64) {
  EXPECT_EQ(*detect("020"), InputFormat::hex);
  EXPECT_EQ(*detect("0203616"), InputFormat::hex);
}

TEST(Detect, MistypedHexIsNotTakenForBase64) {
  EXPECT_FALSE(detect("02 03 61 6g"));
  EXPECT_FALSE(detect("0203\n616g\n63"));
  EXPECT_FALSE(detect("0203616gg"));
}

TEST(Detect, Base64MayHaveLines) {
  EXPECT_EQ(*detect("AgNhYmM=\r\n"), InputFormat::base64);
  const std::string line = "AgNhYmNkAgNhYmNk\n";
  EXPECT_EQ(*detect(line + line + "AgM=\n"), InputFormat::base64);
  EXPECT_FALSE(detect(line + "AgM=\n" + line));
  EXPECT_FALSE(detect("02\n0g")) << "words of a command line";
}

TEST(Detect, TextThatIsNeitherIsRefused) {
  EXPECT_EQ(detect("hello, world").error().message,
            "neither hex nor base64 (not hex: 'h' is no hexadecimal digit in line 1); --format "
            "binary takes it as it is");
}

TEST(IsCapture, KnowsEveryMagicNumber) {
  for (const char* magic :
       {"a1b2c3d4", "d4c3b2a1", "a1b23c4d", "4d3cb2a1", "a1b2cd34", "34cdb2a1", "0a0d0d0a"}) {
    EXPECT_TRUE(is_capture(hex(magic))) << magic;
  }
  EXPECT_FALSE(is_capture(hex("01020304")));
  EXPECT_FALSE(is_capture(hex("d4c3b2")));
}

TEST(Directions, LinesGoOnUntilTheNextMark) {
  const auto said = parse_directed_hex(
      "# a session\n"
      "> 02 03\n"
      "  616263\n"
      "\n"
      "< 00\n"
      "  >07");
  ASSERT_EQ(said->size(), 3U);
  EXPECT_EQ(said->at(0).from, Side::client);
  EXPECT_EQ(said->at(0).bytes, hex("0203616263"));
  EXPECT_EQ(said->at(1).from, Side::server);
  EXPECT_EQ(said->at(1).bytes, hex("00"));
  EXPECT_EQ(said->at(2).bytes, hex("07"));
}

TEST(Directions, AFirstLineWithoutOneIsRefused) {
  EXPECT_TRUE(has_directions("02\n> 03"));
  EXPECT_FALSE(has_directions("02\n03"));
  EXPECT_EQ(parse_directed_hex("\n02\n> 03").error().message,
            "line 2 has no direction; allowed: > or < in front");
  EXPECT_EQ(parse_directed_hex("> 02\n< 0g").error().message,
            "not hex: '0' is half a byte in line 2");
}

TEST(ParseText, OneOrTwoMarksAndABlankSayWhoSentALine) {
  const auto lines = parse_text("> a\n>> b\n<c\n  d\n>\n");
  ASSERT_EQ(lines.size(), 5U);
  EXPECT_EQ(lines[0].from, Side::client);
  EXPECT_EQ(lines[0].bytes, base::to_bytes("a"));
  EXPECT_EQ(lines[1].bytes, base::to_bytes("b"));
  EXPECT_EQ(lines[2].from, Side::server);
  EXPECT_EQ(lines[2].bytes, base::to_bytes("c"));
  EXPECT_EQ(lines[3].from, std::nullopt);
  EXPECT_EQ(lines[3].bytes, base::to_bytes("  d")) << "blanks are part of a message";
  EXPECT_TRUE(lines[4].bytes.empty());
}

TEST(ParseText, BytesThatAreNotTextAreTakenAsTheyAre) {
  EXPECT_EQ(detect_of_text(std::string("over_limit \x01")), InputFormat::binary);
  EXPECT_EQ(detect_of_text("31 37"), InputFormat::hex);
  EXPECT_EQ(detect_of_text("31 37 x"), InputFormat::text);
}

}  // namespace
}  // namespace hallmark::captures
