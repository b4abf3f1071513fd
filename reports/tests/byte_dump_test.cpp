#include "reports/certify/byte_dump.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <regex>

#include "base/text.hpp"
#include "reports/tests/golden.hpp"
#include "reports/tests/samples.hpp"

namespace hallmark::reports {
namespace {

using testing::HasSubstr;
using testing::Not;

Exchange received(Bytes bytes) {
  Exchange exchange;
  exchange.connection = "c1";
  exchange.direction = Direction::received;
  exchange.bytes = std::move(bytes);
  return exchange;
}

/// The text without escape sequences.
std::string uncoloured(const std::string& text) {
  return std::regex_replace(text, std::regex("\x1b\\[[0-9;]*m"), "");
}

std::string dump(const Exchange& exchange, std::size_t rows = 50) {
  return dump_exchange(exchange, {}, rows, 0);
}

TEST(ByteDump, MarksWhatDiffers) {
  expect_golden("dump_wrong_width.txt", dump(samples::wrong_width().evidence[1]));
}

TEST(ByteDump, ColoursTheDifferingBytesAlone) {
  expect_golden("dump_wrong_width_colour.txt",
                dump_exchange(samples::wrong_width().evidence[1], {.colour = true}, 50, 0));
}

TEST(ByteDump, WithoutExpectedBytesTheWholeWrongFieldIsMarked) {
  auto exchange = received({1, 2, 3});
  exchange.fields = {{"status", 0, 1, "success", false, ""}, {"ttl", 1, 2, "770", true, "5 or 6"}};
  EXPECT_EQ(dump(exchange),
            "c1 received 3 bytes at 0 ns\n"
            "   0000  01     status    success\n"
            "!  0001  02 03  ttl       770\n"
            "                expected  5 or 6\n");
}

TEST(ByteDump, ALineOfJsonIsShownAsText) {
  const std::string line = "{\"id\":1,\"state\":\"" + std::string(60, 'x') + "\"}";
  const auto exchange = received(Bytes(line.begin(), line.end()));
  EXPECT_EQ(
      dump_exchange(exchange, {.width = 43}, 50, 0),
      "c1 received 79 bytes at 0 ns\n   " + line.substr(0, 40) + "\n   " + line.substr(40) + "\n");
  EXPECT_THAT(dump_exchange(exchange, {.width = 43}, 1, 0), HasSubstr("… 39 bytes after"));
}

TEST(ByteDump, FitsNarrowTerminals) {
  auto exchange = received(Bytes(40, 0x61));
  exchange.expected = Bytes(40, 0x62);
  exchange.fields = {{"fragments.keys.key_size", 0, 1, "97 = size of key", true, "98"},
                     {"fragments.keys.key", 1, 39, "\"aaaaaaaaaaa…aaaaaaaaaaa\" (39 bytes)", true,
                      "\"bbbbbbbbbbb…bbbbbbbbbbb\" (39 bytes), which is the key of the record"}};
  for (const bool colour : {false, true}) {
    for (const std::size_t width : {40U, 60U, 80U, 100U}) {
      const std::string text = dump_exchange(exchange, {.colour = colour, .width = width}, 90, 2);
      const std::string plain = uncoloured(text);
      for (const std::string_view line : base::split(plain, '\n'))
        EXPECT_LE(base::display_width(line), width) << text;
    }
  }
}

TEST(ByteDump, SurplusAndMissingBytes) {
  auto surplus = received({1, 2});
  surplus.expected = Bytes{1};
  EXPECT_THAT(dump(surplus), HasSubstr("01 02\n"));
  EXPECT_THAT(dump(surplus), HasSubstr("·· --"));
  auto missing = received({});
  missing.expected = Bytes{1};
  EXPECT_THAT(dump(missing), HasSubstr("--  (missing)"));
  EXPECT_TRUE(has_difference(surplus));
  EXPECT_TRUE(has_difference(missing));
}

TEST(ByteDump, NothingReceivedAtAll) {
  EXPECT_EQ(dump(received({})), "c1 received 0 bytes at 0 ns\n");
}

TEST(ByteDump, EmptyFieldHasItsLine) {
  auto exchange = received({0});
  exchange.fields = {{"key_size", 0, 1, "0", false, ""}, {"key", 1, 0, "\"\"", false, ""}};
  EXPECT_THAT(dump(exchange), HasSubstr("0001      key       \"\"\n"));
}

TEST(ByteDump, FieldsThatLieOutsideOrOverlapAreClipped) {
  auto exchange = received({1, 2, 3});
  exchange.fields = {{"all", 0, 3, "", false, ""},
                     {"inner", 1, 1, "", false, ""},
                     {"huge", 2, static_cast<std::size_t>(-1), "", false, ""},
                     {"far", 99, 4, "", false, ""}};
  const auto text = dump(exchange);
  EXPECT_THAT(text, HasSubstr("01 02 03  all"));
  EXPECT_THAT(text, HasSubstr("inner"));
  EXPECT_THAT(text, HasSubstr("far"));
}

TEST(ByteDump, LongMessagesShowTheDifference) {
  auto exchange = received(Bytes(70'000, 0x61));
  exchange.expected = exchange.bytes;
  exchange.bytes[40'000] = 0x62;
  const auto text = dump(exchange, 6);
  EXPECT_THAT(text, HasSubstr("… 39,984 bytes before"));
  EXPECT_THAT(text, HasSubstr("!  9c40  62 61 61"));
  EXPECT_LE(std::count(text.begin(), text.end(), '\n'), 9);
}

TEST(ByteDump, DifferenceIsShownHoweverSmallTheBudget) {
  auto exchange = received(Bytes(80, 0));
  exchange.expected = exchange.bytes;
  exchange.bytes[50] = 1;
  EXPECT_THAT(dump(exchange, 1), HasSubstr("!  0030  00 00 01"));
}

TEST(ByteDump, BriefIsOneLineThatFits) {
  const auto text = brief_exchange(received(Bytes(1000, 0x61)), {.width = 60}, 6);
  EXPECT_EQ(text, "      c1 received 1,000 bytes at 0 ns  61 and 999 more\n");
}

TEST(ByteDump, EqualBytesHaveNoMark) {
  auto exchange = received({1, 2, 3});
  exchange.expected = exchange.bytes;
  EXPECT_FALSE(has_difference(exchange));
  EXPECT_THAT(dump(exchange), Not(HasSubstr("!")));
}

}  // namespace
}  // namespace hallmark::reports
