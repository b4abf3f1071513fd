#include "base/hex.hpp"

#include <gtest/gtest.h>

namespace hallmark::base {
namespace {

TEST(Hex, WritesTwoDigitsAByte) {
  EXPECT_EQ(to_hex(Bytes{0x00, 0x0f, 0xff}), "000fff");
  EXPECT_EQ(to_hex({}), "");
}

TEST(Hex, WritesASeparatorBetweenBytes) {
  EXPECT_EQ(to_hex(Bytes{0x00, 0x9f, 0xff}, " "), "00 9f ff");
  EXPECT_EQ(to_hex(Bytes{0x9f}, ", "), "9f");
  EXPECT_EQ(to_hex({}, " "), "");
}

TEST(Hex, IsAppended) {
  std::string text = "x";
  append_hex(text, Bytes{0x01, 0xab});
  EXPECT_EQ(text, "x01ab");
}

TEST(Hex, ReadsEitherCaseAndSeparators) {
  EXPECT_EQ(from_hex("0aFf 10\t20\r\n30:40"), (Bytes{0x0a, 0xff, 0x10, 0x20, 0x30, 0x40}));
  EXPECT_EQ(from_hex(""), Bytes{});
}

TEST(Hex, CanonicalIsWhatIsWritten) {
  EXPECT_EQ(from_canonical_hex("000fff"), (Bytes{0x00, 0x0f, 0xff}));
  EXPECT_EQ(from_canonical_hex(""), Bytes{});
  for (const auto* const text : {"0aFf", "0a 0b", "0a:0b", "0a\n", "abc", "0g", "-1"})
    EXPECT_EQ(from_canonical_hex(text), std::nullopt) << text;
}

struct BadHex {
  const char* name;
  const char* text;
};
class HexRefuses : public ::testing::TestWithParam<BadHex> {};
TEST_P(HexRefuses, Text) { EXPECT_EQ(from_hex(GetParam().text), std::nullopt); }
INSTANTIATE_TEST_SUITE_P(Hex, HexRefuses,
                         ::testing::Values(BadHex{"odd", "abc"}, BadHex{"no_digit", "0g"},
                                           BadHex{"split_pair", "0 0"}, BadHex{"sign", "-1"},
                                           BadHex{"prefix", "0x01"}),
                         [](const auto& row) { return row.param.name; });

TEST(HexDigit, IsOfEitherCase) {
  EXPECT_EQ(hex_digit('0'), 0);
  EXPECT_EQ(hex_digit('9'), 9);
  EXPECT_EQ(hex_digit('a'), 10);
  EXPECT_EQ(hex_digit('F'), 15);
  for (const char c : {'/', ':', '@', 'G', '`', 'g', '\0', '\xff'}) EXPECT_EQ(hex_digit(c), -1);
}

TEST(HexByte, NeedsTwoDigits) {
  EXPECT_EQ(hex_byte('a', 'F'), 0xaf);
  EXPECT_EQ(hex_byte('a', 'g'), std::nullopt);
  EXPECT_EQ(hex_byte(' ', '1'), std::nullopt);
}

}  // namespace
}  // namespace hallmark::base
