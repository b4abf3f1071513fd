#include "vectors/format/json_bytes.hpp"

#include <gmock/gmock.h>

#include "base/tests/parsed.hpp"

namespace hallmark::vectors {
namespace {

using base::Bytes;
using base::Json;
using base::to_bytes;
using base::test::parsed;
using ::testing::HasSubstr;

TEST(HexJson, HasDigitsAndRuns) {
  EXPECT_EQ(hex_json({}), Json(""));
  EXPECT_EQ(hex_json(Bytes{1, 0xfe}), Json("01fe"));
  Bytes bytes{1};
  bytes.resize(101, 0x6b);
  bytes.push_back(2);
  EXPECT_EQ(hex_json(bytes), parsed(R"(["01", {"hex": "6b", "times": 100}, "02"])"));
}

TEST(ValueJson, IsTextWhereAllOfItIsPrintable) {
  EXPECT_EQ(value_json({}), Json(""));
  EXPECT_EQ(value_json(to_bytes("a b~")), Json("a b~"));
  EXPECT_EQ(value_json(to_bytes("a\n")), parsed(R"({"hex": "610a"})"));
  EXPECT_EQ(value_json(Bytes{0x7f}), parsed(R"({"hex": "7f"})"));
  EXPECT_EQ(value_json(Bytes(70, 'k')), parsed(R"({"text": [{"text": "k", "times": 70}]})"));
  EXPECT_EQ(value_json(Bytes(70, 0)), parsed(R"({"hex": [{"hex": "00", "times": 70}]})"));
}

base::Result<Bytes> read(const char* text) { return base::read_json(text, read_value_bytes); }

TEST(ReadValueBytes, ReadsTextAndDigits) {
  EXPECT_EQ(*read(R"("text")"), to_bytes("text"));
  EXPECT_EQ(*read(R"({"hex": ["00", {"hex": "0102", "times": 2}]})"), (Bytes{0, 1, 2, 1, 2}));
  EXPECT_EQ(*read(R"({"text": ["a", {"text": "bc", "times": 2}]})"), to_bytes("abcbc"));
}

TEST(ReadValueBytes, RefusesEverythingElse) {
  EXPECT_THAT(read("7").error().message, HasSubstr("expected text, "));
  EXPECT_THAT(read(R"({"hex": "0"})").error().message, HasSubstr("pairs of lower-case"));
  EXPECT_THAT(read(R"({"hex": "AB"})").error().message, HasSubstr("pairs of lower-case"));
  EXPECT_THAT(read(R"({"hex": "", "text": ""})").error().message, HasSubstr("unknown member"));
  EXPECT_THAT(read(R"({"text": [{"hex": "00", "times": 1}]})").error().message,
              HasSubstr("'text' is missing"));
  EXPECT_THAT(read(R"({"hex": [{"hex": "00", "times": 16777217}]})").error().message,
              HasSubstr("at most 16 MiB"));
}

}  // namespace
}  // namespace hallmark::vectors
