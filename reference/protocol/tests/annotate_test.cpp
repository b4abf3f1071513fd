#include "reference/protocol/annotate.hpp"

#include <gmock/gmock.h>

#include "reference/protocol/dialects/throttr_7_1.hpp"
#include "reference/protocol/mutate.hpp"

namespace hallmark::protocol {
namespace {

const Readings deployed(throttr_7_1, Profile::deployed);

std::string dump_of(const Layout& layout, std::string_view hex, std::size_t max_bytes = 16) {
  const Bytes bytes = *from_hex(hex);
  Decoder decoder(layout);
  decoder.resume(bytes);
  return dump(annotate(decoder, bytes), bytes, max_bytes);
}

Layout reply(std::string_view name) {
  return Layout::reply(*find_operation(throttr_7_1, name), Width::u16, deployed);
}

TEST(Dump, NamesEveryField) {
  EXPECT_EQ(dump_of(Layout::request(*find_operation(throttr_7_1, "INSERT"), Width::u16, deployed),
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
  EXPECT_EQ(printable(as_bytes("abc")), "\"abc\"");
  EXPECT_EQ(printable(Bytes{0x00, 0x61}), "0061");
  EXPECT_EQ(printable(as_bytes("0123456789"), 4), "\"01…89\" (10 bytes)");
}

TEST(Mutations, CoverEveryFieldOfARequest) {
  const Layout layout =
      Layout::request(*find_operation(throttr_7_1, "INSERT"), Width::u16, deployed);
  const auto all = mutations(layout, *from_hex("010200041e0003616263"));
  const auto hex_of = [&](std::string_view id) -> std::string {
    for (const Mutation& m : all) {
      if (m.id == id) return to_hex(m.bytes);
    }
    return "not there";
  };
  EXPECT_EQ(hex_of("cut:quota"), "01");
  EXPECT_EQ(hex_of("cut-inside:quota"), "0102");
  EXPECT_EQ(hex_of("cut:key"), "010200041e0003");
  EXPECT_EQ(hex_of("size-1:key_size"), "010200041e0002616263");
  EXPECT_EQ(hex_of("size+1:key_size"), "010200041e0004616263");
  EXPECT_EQ(hex_of("size=max:key_size"), "010200041e00ff616263");
  EXPECT_EQ(hex_of("unlisted:ttl_type=00"), "010200001e0003616263");
  EXPECT_EQ(hex_of("unlisted:ttl_type=07"), "010200071e0003616263");
  EXPECT_EQ(hex_of("unlisted:ttl_type=ff"), "010200ff1e0003616263");
  EXPECT_EQ(hex_of("opcode=00"), "000200041e0003616263");
}

TEST(Mutations, NoneDecodesToTheSameMessage) {
  for (const Operation& operation : throttr_7_1.operations) {
    const Layout layout = Layout::request(operation, Width::u16, deployed);
    if (operation.name != "SET") continue;
    const Bytes original = *from_hex("05041e0003040062756645484c4f");
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
