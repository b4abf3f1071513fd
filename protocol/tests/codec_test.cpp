#include <gmock/gmock.h>

#include "base/hex.hpp"
#include "protocol/codec/decode.hpp"
#include "protocol/codec/encode.hpp"
#include "protocol/tests/random_record.hpp"
#include "protocol/tests/throttr_7_1.hpp"

namespace hallmark::protocol {
namespace {

using ::testing::HasSubstr;

// The bytes below are the worked examples of the document of 6.0, whose layouts these operations
// kept.
struct Example {
  const char* name;
  Layout layout;
  Record values;
  const char* hex;
};

class Examples : public ::testing::TestWithParam<Example> {};

TEST_P(Examples, EncodeAndDecode) {
  const auto bytes = encode(GetParam().layout, GetParam().values);
  ASSERT_TRUE(bytes.has_value()) << bytes.error().field << " " << bytes.error().reason;
  EXPECT_EQ(base::to_hex(*bytes), GetParam().hex);
  const auto values = decode(GetParam().layout, *bytes);
  ASSERT_TRUE(values.has_value()) << values.error().reason;
  EXPECT_EQ(*values, GetParam().values);
}

const base::Bytes sevens(5, 0x07);
const base::Bytes ehlo = base::to_bytes("EHLO");

INSTANTIATE_TEST_SUITE_P(
    Document, Examples,
    ::testing::Values(Example{"insert",
                              request("INSERT"),
                              {{"quota", 2UL}, {"ttl_type", 4UL}, {"ttl", 3UL}, {"key", sevens}},
                              "01020004030005"
                              "0707070707"},
                      Example{"query", request("QUERY"), {{"key", sevens}}, "02050707070707"},
                      Example{"query_found",
                              reply("QUERY"),
                              {{"status", 1UL}, {"quota", 2UL}, {"ttl_type", 4UL}, {"ttl", 3UL}},
                              "010200040300"},
                      Example{"query_missing", reply("QUERY"), {{"status", 0UL}}, "00"},
                      Example{
                          "update",
                          request("UPDATE"),
                          {{"attribute", 0UL}, {"change", 1UL}, {"value", 2UL}, {"key", sevens}},
                          "0300010200050707070707"},
                      Example{"purge", request("PURGE"), {{"key", sevens}}, "04050707070707"},
                      Example{"set",
                              request("SET"),
                              {{"ttl_type", 4UL}, {"ttl", 3UL}, {"key", sevens}, {"value", ehlo}},
                              "0504030005040007070707074548"
                              "4c4f"},
                      Example{"set_prose",
                              request("SET", Width::u16, as_written),
                              {{"ttl_type", 4UL}, {"ttl", 3UL}, {"key", sevens}, {"value", ehlo}},
                              "05040300050407070707074548"
                              "4c4f"},
                      Example{"get_found",
                              reply("GET"),
                              {{"status", 1UL}, {"ttl_type", 4UL}, {"ttl", 3UL}, {"value", ehlo}},
                              "0104030004004548"
                              "4c4f"},
                      Example{"list", request("LIST"), {}, "07"},
                      Example{"whoami_literal",
                              reply("WHOAMI", Width::u16, as_written),
                              {{"id", base::Bytes(16, 0xaa)}},
                              "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"},
                      Example{"connection_by_index",
                              request("CONNECTION", Width::u16, as_written),
                              {{"index", 7UL}},
                              "1507000000"},
                      Example{"query_u8",
                              reply("QUERY", Width::u8),
                              {{"status", 1UL}, {"quota", 2UL}, {"ttl_type", 4UL}, {"ttl", 3UL}},
                              "01020403"},
                      Example{"query_u64",
                              reply("QUERY", Width::u64),
                              {{"status", 1UL}, {"quota", 2UL}, {"ttl_type", 4UL}, {"ttl", 3UL}},
                              "010200000000000000040300000000000000"}),
    [](const auto& row) { return row.param.name; });

struct Refusal {
  const char* name;
  Layout layout;
  Record values;
  const char* field;
  const char* reason;
};

class EncodeRefuses : public ::testing::TestWithParam<Refusal> {};

TEST_P(EncodeRefuses, Values) {
  const auto bytes = encode(GetParam().layout, GetParam().values);
  ASSERT_TRUE(bytes.has_error());
  EXPECT_EQ(bytes.error().field, GetParam().field);
  EXPECT_THAT(bytes.error().reason, HasSubstr(GetParam().reason));
}

INSTANTIATE_TEST_SUITE_P(
    Codec, EncodeRefuses,
    ::testing::Values(
        Refusal{"missing", request("QUERY"), {}, "key", "no value"},
        Refusal{"unknown", request("LIST"), {{"key", ehlo}}, "key", "no field of LIST"},
        Refusal{
            "derived", request("QUERY"), {{"key", ehlo}, {"key_size", 4UL}}, "key_size", "follows"},
        Refusal{"other_type", request("QUERY"), {{"key", 4UL}}, "key", "another type"},
        Refusal{"too_wide",
                reply("QUERY"),
                {{"status", 1UL}, {"quota", 65536UL}, {"ttl_type", 4UL}, {"ttl", 0UL}},
                "quota",
                "does not fit"},
        Refusal{"key_too_long",
                request("QUERY"),
                {{"key", base::Bytes(256)}},
                "key_size",
                "does not fit"},
        Refusal{"short_id",
                reply("WHOAMI"),
                {{"status", 1UL}, {"id", base::Bytes(15)}},
                "id",
                "do not fill"},
        Refusal{"after_failure",
                reply("WHOAMI"),
                {{"status", 0UL}, {"id", base::Bytes(16)}},
                "id",
                "no field"}),
    [](const auto& row) { return row.param.name; });

/// Bytes on the heap, exactly as many as there are, so that a sanitizer sees every overrun.
struct Exactly {
  explicit Exactly(base::ByteView bytes)
      : memory(new std::uint8_t[bytes.size()]), size(bytes.size()) {
    std::ranges::copy(bytes, memory.get());
  }
  base::ByteView view() const { return {memory.get(), size}; }
  std::unique_ptr<std::uint8_t[]> memory;
  std::size_t size;
};

template <class Visit>
void for_each_layout(Visit visit) {
  for (const Dialect* dialect : all_dialects) {
    for (const Profile profile : {Profile::deployed, Profile::literal}) {
      const Readings readings(*dialect, profile);
      for (const Width width : dialect->widths) {
        for (const Operation& operation : dialect->operations) {
          visit(Layout::request(operation, width, readings));
          visit(Layout::reply(operation, width, readings));
        }
        for (const Push& push : dialect->pushes) visit(Layout::push(push, width, readings));
        for (const Format& format : dialect->formats) visit(Layout::format(format, readings));
      }
    }
  }
}

TEST(Decoder, RandomMessagesSurviveTheRoundTrip) {
  test::RandomRecord random(1);
  for_each_layout([&](const Layout& layout) {
    for (int i = 0; i < 20; ++i) {
      const Record values = random.of(layout, i % 4 != 0);
      const auto bytes = encode(layout, values);
      ASSERT_TRUE(bytes.has_value())
          << layout.name() << ": " << bytes.error().field << " " << bytes.error().reason;
      const auto decoded = decode(layout, Exactly(*bytes).view());
      ASSERT_TRUE(decoded.has_value()) << layout.name() << ": " << decoded.error().reason;
      EXPECT_EQ(*decoded, values) << layout.name() << " " << base::to_hex(*bytes);
      EXPECT_EQ(encode(layout, *decoded).value(), *bytes);
    }
  });
}

TEST(Decoder, ArrivesAtTheSameWhateverTheCuts) {
  test::RandomRecord random(2);
  for_each_layout([&](const Layout& layout) {
    if (layout.ends_with_bytes()) return;
    const base::Bytes bytes = encode(layout, random.of(layout, true)).value();
    Decoder decoder(layout);
    for (std::size_t n = 0; n < bytes.size(); ++n) {
      const Exactly part(base::ByteView(bytes).first(n));
      ASSERT_EQ(decoder.resume(part.view()), Decoder::State::need_more)
          << layout.name() << " after " << n;
      ASSERT_GT(decoder.needed(), n) << layout.name();
      ASSERT_LE(decoder.needed(), bytes.size()) << layout.name();
    }
    ASSERT_EQ(decoder.resume(bytes), Decoder::State::complete) << layout.name();
    EXPECT_EQ(decoder.size(), bytes.size());
  });
}

TEST(Decoder, LeavesWhatFollows) {
  const base::Bytes two = *base::from_hex("0101");
  Decoder decoder(reply("INSERT"));
  EXPECT_EQ(decoder.resume(two), Decoder::State::complete);
  EXPECT_EQ(decoder.size(), 1U);
  EXPECT_THAT(decode(reply("INSERT"), two).error().reason, HasSubstr("left over"));
}

struct Wrong {
  const char* name;
  Layout layout;
  const char* hex;
  const char* field;
  std::size_t offset;
};

class DecodeRefuses : public ::testing::TestWithParam<Wrong> {};

TEST_P(DecodeRefuses, Bytes) {
  const auto values = decode(GetParam().layout, *base::from_hex(GetParam().hex));
  ASSERT_TRUE(values.has_error());
  EXPECT_EQ(values.error().field, GetParam().field);
  EXPECT_EQ(values.error().offset, GetParam().offset);
}

INSTANTIATE_TEST_SUITE_P(Codec, DecodeRefuses,
                         ::testing::Values(Wrong{"opcode", request("QUERY"), "030161", "opcode", 0},
                                           Wrong{"status", reply("INSERT"), "02", "status", 0},
                                           Wrong{"unlisted_ttl_type", reply("QUERY"),
                                                 "01020007"
                                                 "0300",
                                                 "ttl_type", 3},
                                           Wrong{"endless_fragments", reply("LIST"),
                                                 "01ffffffffffffffff", "fragments", 9},
                                           Wrong{"endless_keys", reply("LIST"),
                                                 "01"
                                                 "0100000000000000"
                                                 "0100000000000000"
                                                 "ffffffffffffff7f",
                                                 "keys", 25},
                                           Wrong{"endless_value", reply("GET", Width::u64),
                                                 "0104"
                                                 "0300000000000000"
                                                 "ffffffffffffffff",
                                                 "value", 18},
                                           Wrong{"left_over", reply("INSERT"), "0101", "", 1},
                                           Wrong{"cut", reply("QUERY"), "0102", "", 2}),
                         [](const auto& row) { return row.param.name; });

TEST(Decoder, TakesNoMemoryForWhatALengthClaims) {
  // A million keys are announced, which is within the limit; none of them arrives.
  const base::Bytes head = *base::from_hex(
      "01"
      "0100000000000000"
      "0100000000000000"
      "40420f0000000000");
  Decoder decoder(reply("LIST"), {.max_bytes = std::size_t{64} << 20});
  EXPECT_EQ(decoder.resume(head), Decoder::State::need_more);
  EXPECT_LT(decoder.fields().capacity(), 64U);
  EXPECT_EQ(decoder.needed(), 25U + 13U * 1000000U);
}

TEST(MessageView, VisitsTheRecordsOfAllFragments) {
  const Record entry{{"key_type", 0UL},
                     {"ttl_type", 4UL},
                     {"time_point", 9UL},
                     {"bytes_used", 2UL},
                     {"key", ehlo}};
  const Record fragment{{"fragment", 1UL}, {"keys", std::vector<Record>{entry, entry}}};
  const Record values{{"status", 1UL}, {"fragments", std::vector<Record>{fragment, fragment}}};
  const base::Bytes bytes = encode(reply("LIST"), values).value();
  Decoder decoder(reply("LIST"));
  ASSERT_EQ(decoder.resume(bytes), Decoder::State::complete);
  int visited = 0;
  MessageView(decoder, bytes).for_each("keys", [&](const MessageView::Entry& e) {
    ++visited;
    EXPECT_EQ(base::as_text(e.bytes_of("key")), "EHLO");
    EXPECT_EQ(e.number("bytes_used"), 2U);
    EXPECT_EQ(e.find("quota"), nullptr);
  });
  EXPECT_EQ(visited, 4);
}

}  // namespace
}  // namespace hallmark::protocol
