#include "protocol/annotate.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "base/hex.hpp"
#include "protocol/mutate.hpp"
#include "protocol/tests/throttr_7_1.hpp"

namespace hallmark::protocol {
namespace {

std::string dump_of(const Layout& layout, std::string_view hex, std::size_t max_bytes = 16) {
  const base::Bytes bytes = *base::from_hex(hex);
  Decoder decoder(layout);
  decoder.resume(bytes);
  return dump(annotate(decoder, bytes), bytes, max_bytes);
}

TEST(Dump, NamesEveryField) {
  EXPECT_EQ(
      dump_of(Layout::request(*find_operation(throttr_7_1, "INSERT"), Width::u16, as_released),
              "010200041e0003616263"),
      "     0  01      opcode    INSERT\n"
      "     1  0200    quota     2\n"
      "     3  04      ttl_type  seconds\n"
      "     4  1e00    ttl       30 units of ttl_type\n"
      "     6  03      key_size  3 = size of key\n"
      "     7  616263  key       \"abc\"\n");
}

TEST(Dump, NamesRecordsOfGroups) {
  const std::string text = dump_of(reply("LIST"),
                                   "010100000000000000010000000000000002000000000000000300047df13a7"
                                   "5f00100000200030104f62cf061eb0100000400616263627566");
  EXPECT_THAT(text, ::testing::HasSubstr("fragments[0].keys[1].key_type    "));
  EXPECT_THAT(text, ::testing::HasSubstr("fragments[0].keys[1].key         "));
  EXPECT_THAT(text, ::testing::HasSubstr("\"buf\""));
}

/// The annotations of a LIST reply from the first of its keys on, without their meanings.
std::vector<std::string> keys_of(std::string_view hex, std::size_t max_records) {
  const Layout list = reply("LIST");
  const base::Bytes bytes = *base::from_hex(hex);
  Decoder decoder(list);
  decoder.resume(bytes);
  std::vector<std::string> keys;
  for (const Annotation& one : annotate(decoder, bytes, max_records)) {
    if (one.offset >= 25) keys.push_back(fmt::format("{} {}+{}", one.path, one.offset, one.length));
  }
  return keys;
}

/// Two keys, "a" and "bc", in one fragment.
constexpr std::string_view two_keys =
    "01 0100000000000000 0100000000000000 0200000000000000"
    "01 00 04 0000000000000000 0200 02 00 04 0000000000000000 0200 61 6263";

TEST(Annotate, LeavesOutRecordsBeyondABound) {
  EXPECT_THAT(keys_of(two_keys, 1),
              ::testing::ElementsAre(
                  "fragments[0].keys[0].key_size 25+1", "fragments[0].keys[0].key_type 26+1",
                  "fragments[0].keys[0].ttl_type 27+1", "fragments[0].keys[0].time_point 28+8",
                  "fragments[0].keys[0].bytes_used 36+2", "fragments[0].keys[1..1] 38+13",
                  "fragments[0].keys[0].key 51+1", "fragments[0].keys[1..1] 52+2"));
}

TEST(Annotate, LeavesOutNothingWithinTheBound) {
  EXPECT_EQ(keys_of(two_keys, 2), keys_of(two_keys, all_records));
  EXPECT_EQ(keys_of(two_keys, 2).size(), 12U);
}

TEST(Annotate, LeavesOutRecordsOfABrokenMessage) {
  const auto keys = keys_of(two_keys.substr(0, 97), 1);
  ASSERT_GE(keys.size(), 2U);
  EXPECT_EQ(keys[keys.size() - 2], "fragments[0].keys[1..1] 38+3");
}

TEST(Dump, SaysWhereAMessageBreaksOff) {
  EXPECT_EQ(dump_of(reply("QUERY"), "0102"),
            "     0  01  status  success\n"
            "     1  02          ends here; at least 3 bytes were expected\n");
}

TEST(Dump, SaysWhereAMessageIsMalformed) {
  EXPECT_EQ(dump_of(reply("QUERY"), "010200ff0300"),
            "     0  01      status    success\n"
            "     1  0200    quota     2\n"
            "     3  ff0300  ttl_type  ff is not listed\n");
}

TEST(Dump, CutsLongValues) {
  EXPECT_THAT(dump_of(reply("GET"), "01041d001400" + std::string(40, '6'), 4),
              ::testing::HasSubstr("6666…6666"));
}

TEST(Printable, QuotesTextAndSpellsTheRest) {
  EXPECT_EQ(printable(base::as_bytes("abc")), "\"abc\"");
  EXPECT_EQ(printable(base::Bytes{0x00, 0x61}), "0061");
  EXPECT_EQ(printable(base::as_bytes("0123456789"), 4), "\"01…89\" (10 bytes)");
}

TEST(Mutations, CoverEveryFieldOfARequest) {
  const Layout layout =
      Layout::request(*find_operation(throttr_7_1, "INSERT"), Width::u16, as_released);
  const auto all = mutations(layout, *base::from_hex("010200041e0003616263"));
  const auto hex_of = [&](std::string_view id) -> std::string {
    for (const Mutation& m : all) {
      if (m.id == id) return base::to_hex(m.bytes);
    }
    return "not there";
  };
  EXPECT_EQ(hex_of("cut:quota"), "01");
  EXPECT_EQ(hex_of("cut-inside:quota"), "0102");
  EXPECT_EQ(hex_of("cut:key"), "010200041e0003");
  EXPECT_EQ(hex_of("size-1:key_size"), "010200041e0002616263");
  EXPECT_EQ(hex_of("size+1:key_size"), "010200041e0004616263");
  EXPECT_EQ(hex_of("size=0:key_size"), "010200041e0000616263");
  EXPECT_EQ(hex_of("size=most-positive:key_size"), "010200041e007f616263");
  EXPECT_EQ(hex_of("size=negative:key_size"), "010200041e0080616263");
  EXPECT_EQ(hex_of("size=max-1:key_size"), "010200041e00fe616263");
  EXPECT_EQ(hex_of("size=max:key_size"), "010200041e00ff616263");
  EXPECT_EQ(hex_of("unlisted:ttl_type=00"), "010200001e0003616263");
  EXPECT_EQ(hex_of("unlisted:ttl_type=07"), "010200071e0003616263");
  EXPECT_EQ(hex_of("unlisted:ttl_type=ff"), "010200ff1e0003616263");
  EXPECT_EQ(hex_of("opcode=00"), "000200041e0003616263");
}

TEST(Mutations, NoneDecodesToTheSameMessage) {
  for (const Operation& operation : throttr_7_1.operations) {
    const Layout layout = Layout::request(operation, Width::u16, as_released);
    if (operation.name != "SET") continue;
    const base::Bytes original = *base::from_hex("05041e0003040062756645484c4f");
    for (const Mutation& m : mutations(layout, original)) EXPECT_NE(m.bytes, original) << m.id;
  }
}

TEST(UnknownOpcodes, AreUnknown) {
  const auto codes = unknown_opcodes(throttr_7_1);
  EXPECT_FALSE(codes.empty());
  for (const std::uint8_t code : codes)
    EXPECT_EQ(find_operation(throttr_7_1, code), nullptr) << int{code};
}

}  // namespace
}  // namespace hallmark::protocol
