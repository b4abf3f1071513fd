#include "conformance/identify/polyglot.hpp"

#include <gtest/gtest.h>

#include "conformance/drivers/stream/wire_format.hpp"
#include "protocol/codec/decode.hpp"
#include "protocol/dialects.hpp"
#include "protocol/throttr_words.hpp"

namespace hallmark::conformance {
namespace {

using base::Bytes;
using base::ByteView;
using protocol::Layout;
using protocol::Width;

const Bytes nonce = base::to_bytes("0123456789abcdef");

/// The readings of two layouts differ, so each comes with its own.
struct Format {
  Format(const protocol::Dialect& dialect, Width at,
         protocol::ReadingName reading = protocol::ReadingName::none(),
         protocol::AnswerName answer = protocol::AnswerName::none())
      : readings(dialect, protocol::Profile::deployed), width(at) {
    if (!reading.empty()) static_cast<void>(readings.set(reading, answer));
  }
  Layout request(protocol::MessageName name) const {
    return Layout::request(*protocol::find_operation(readings.dialect(), name), width, readings);
  }
  protocol::Readings readings;
  Width width;
};

/// Takes one message of the layout from the front.
protocol::Record take(const Layout& layout, ByteView& bytes) {
  protocol::Decoder decoder(layout);
  EXPECT_EQ(decoder.resume(bytes), protocol::Decoder::State::complete) << layout.name();
  const auto record = protocol::MessageView(decoder, bytes.first(decoder.size())).record();
  bytes = bytes.subspan(decoder.size());
  return record;
}

void expect_queries(const Layout& query, std::size_t count, ByteView bytes) {
  for (std::size_t i = 0; i < count; ++i) {
    const auto record = take(query, bytes);
    const Bytes name = std::get<Bytes>(*record.find("key"));
    EXPECT_NE(base::as_text(name).find("abcdef"), std::string_view::npos);
  }
  EXPECT_TRUE(bytes.empty());
}

TEST(Polyglot, QueryIsWholeInTheOldAndTheNewLayout) {
  const Format old(protocol::throttr_2_0, Width::u64);
  const Format later(protocol::throttr_6_0, Width::u8);
  const Layout layouts[] = {old.request("QUERY"), later.request("QUERY")};
  const Polyglot made = polyglot(layouts, {}, nonce);
  for (const Layout& layout : layouts) {
    ByteView rest = made.bytes;
    take(layout, rest);
    EXPECT_TRUE(rest.empty());
  }
  ASSERT_EQ(made.readings[0].names.size(), 2U);
  ASSERT_EQ(made.readings[1].names.size(), 1U);
  EXPECT_FALSE(made.readings[0].names[0].empty());
}

TEST(Polyglot, InsertIsWholeAtEveryWidth) {
  const Format u8(protocol::throttr_7_1, Width::u8), u16(protocol::throttr_7_1, Width::u16),
      u32(protocol::throttr_7_1, Width::u32), u64(protocol::throttr_7_1, Width::u64);
  const Layout layouts[] = {u8.request("INSERT"), u16.request("INSERT"), u32.request("INSERT"),
                            u64.request("INSERT")};
  const Bytes query{0x02, 0x06, 'a', 'b', 'c', 'd', 'e', 'f'};
  const std::vector<Bytes> tail(3, query);
  const auto unit = [](const Layout& layout, const protocol::Field&) {
    return code(layout.width() == Width::u32 ? protocol::TtlUnit::microseconds
                                             : protocol::TtlUnit::seconds);
  };
  const Polyglot made = polyglot(layouts, tail, nonce, unit);
  for (std::size_t i = 0; i < 4; ++i) {
    ByteView rest = made.bytes;
    const auto record = take(layouts[i], rest);
    EXPECT_EQ(std::get<Bytes>(*record.find("key")), made.readings[i].names.front());
    EXPECT_EQ(made.readings[i].followers, 3 - i);
    expect_queries(u8.request("QUERY"), 3 - i, rest);
    const auto lifetime =
        record.number("ttl") * length_of(static_cast<protocol::TtlUnit>(record.number("ttl_type")));
    EXPECT_GE(lifetime, 1'000'000'000U) << i;
    EXPECT_LE(lifetime, 3'600'000'000'000U) << i;
  }
}

TEST(Polyglot, LayoutsThatNeedOneByteAreRefused) {
  const Format format(protocol::throttr_7_1, Width::u16);
  const Layout layouts[] = {format.request("QUERY"), format.request("GET")};
  EXPECT_THROW(polyglot(layouts, {}, nonce), std::logic_error);
}

class SetPolyglot : public testing::TestWithParam<Width> {};

TEST_P(SetPolyglot, IsWholeUnderBothReadings) {
  const Format wide(protocol::throttr_7_1, GetParam(), "set-value-size", "value-width");
  const Format narrow(protocol::throttr_7_1, GetParam(), "set-value-size", "one-byte");
  const Polyglot made = polyglot_set(
      wide.request("SET"), narrow.request("SET"), wide.request("QUERY"),
      {{"ttl_type", std::uint64_t{4}}, {"ttl", std::uint64_t{60}}, {"key", nonce}}, nonce);
  ByteView rest = made.bytes;
  EXPECT_EQ(std::get<Bytes>(*take(wide.request("SET"), rest).find("key")), nonce);
  EXPECT_TRUE(rest.empty());
  rest = made.bytes;
  const auto read = take(narrow.request("SET"), rest);
  EXPECT_EQ(std::get<Bytes>(*read.find("key")), made.readings[1].names.front());
  EXPECT_EQ(read.number("ttl"), 60U);
  EXPECT_NE(made.readings[0].names.front(), made.readings[1].names.front());
  expect_queries(wide.request("QUERY"), made.readings[1].followers, rest);
}

INSTANTIATE_TEST_SUITE_P(Widths, SetPolyglot, testing::Values(Width::u16, Width::u32, Width::u64),
                         [](const auto& row) { return std::string(name_of(row.param)); });

TEST(Polyglot, ConnectionIsWholeByIndexAndById) {
  const Format id(protocol::throttr_7_1, Width::u16, "connection-id", "id");
  const Format index(protocol::throttr_7_1, Width::u16, "connection-id", "index");
  const Polyglot made =
      polyglot_by_field(id.request("CONNECTION"), index.request("CONNECTION"), id.request("QUERY"),
                        {{"index", std::uint64_t{0xffffffff}}}, nonce);
  ByteView rest = made.bytes;
  take(id.request("CONNECTION"), rest);
  EXPECT_TRUE(rest.empty());
  rest = made.bytes;
  EXPECT_EQ(take(index.request("CONNECTION"), rest).number("index"), 0xffffffffU);
  expect_queries(id.request("QUERY"), 1, rest);
}

}  // namespace
}  // namespace hallmark::conformance
