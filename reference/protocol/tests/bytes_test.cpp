#include "reference/protocol/bytes.hpp"

#include <gtest/gtest.h>

namespace hallmark::protocol {
namespace {

TEST(Hex, WritesTwoDigitsAByte) { EXPECT_EQ(to_hex(Bytes{0x00, 0x0f, 0xff}), "000fff"); }

TEST(Hex, ReadsEitherCaseAndSeparators) {
  EXPECT_EQ(from_hex("0aFf 10\t20\n30:40"), (Bytes{0x0a, 0xff, 0x10, 0x20, 0x30, 0x40}));
  EXPECT_EQ(from_hex(""), Bytes{});
}

struct BadHex {
  const char* name;
  const char* text;
};
class HexRefuses : public ::testing::TestWithParam<BadHex> {};
TEST_P(HexRefuses, Text) { EXPECT_EQ(from_hex(GetParam().text), std::nullopt); }
INSTANTIATE_TEST_SUITE_P(Hex, HexRefuses,
                         ::testing::Values(BadHex{"odd", "abc"}, BadHex{"no_digit", "0g"},
                                           BadHex{"split_pair", "0 0"}, BadHex{"sign", "-1"}),
                         [](const auto& row) { return row.param.name; });

TEST(LittleEndian, StoresAndLoadsEveryWidth) {
  for (const std::size_t width : {1U, 2U, 4U, 8U}) {
    const std::uint64_t value = 0x0123456789abcdef & max_of_width(width);
    Bytes bytes(width);
    store_little_endian(bytes.data(), value, width);
    EXPECT_EQ(bytes[0], 0xef);
    EXPECT_EQ(load_little_endian(bytes.data(), width), value) << width;
  }
}

TEST(MaxOfWidth, IsAllBitsSet) {
  EXPECT_EQ(max_of_width(1), 255U);
  EXPECT_EQ(max_of_width(2), 65535U);
  EXPECT_EQ(max_of_width(4), 4294967295U);
  EXPECT_EQ(max_of_width(8), 18446744073709551615U);
}

}  // namespace
}  // namespace hallmark::protocol
