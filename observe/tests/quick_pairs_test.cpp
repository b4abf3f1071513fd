#include "observe/quick_pairs.hpp"

#include <gmock/gmock.h>

#include "base/hex.hpp"
#include "protocol/dialects.hpp"

namespace hallmark::observe {
namespace {

using base::Bytes;
using protocol::Profile;
using protocol::Readings;
using protocol::Width;
using testing::ElementsAre;
using testing::IsEmpty;

Bytes hex(std::string_view text) { return *base::from_hex(text); }

class QuickPairsTest : public testing::Test {
 protected:
  bool client(std::string_view text) { return feed(Side::client, hex(text)); }
  bool server(std::string_view text) { return feed(Side::server, hex(text)); }
  bool feed(Side side, const Bytes& bytes) {
    return pairs_.feed(side, bytes, [this](std::size_t operation) {
      told_.emplace_back(protocol::throttr_7_3.operations[operation].name);
    });
  }

  captures::Format format_{Width::u16, Readings(protocol::throttr_7_3, Profile::deployed)};
  Shapes shapes_{format_};
  QuickPairs pairs_{shapes_};
  std::vector<std::string> told_;
};

TEST_F(QuickPairsTest, RequestsThatAreInFlightTogetherArePairedInOrder) {
  EXPECT_TRUE(client("010500041e00036162630203616263"));
  EXPECT_TRUE(server("01010500041d00"));
  EXPECT_THAT(told_, ElementsAre("INSERT", "QUERY"));
  EXPECT_TRUE(pairs_.idle());
}

TEST_F(QuickPairsTest, MessagesMayComeByteByByte) {
  for (const std::uint8_t byte : hex("0203616263")) EXPECT_TRUE(feed(Side::client, {byte}));
  for (const std::uint8_t byte : hex("010500041d00")) EXPECT_TRUE(feed(Side::server, {byte}));
  EXPECT_THAT(told_, ElementsAre("QUERY"));
}

TEST_F(QuickPairsTest, AValueIsAsLongAsItsSizeSays) {
  EXPECT_TRUE(client("0603616263"));
  EXPECT_TRUE(server("01041e0003004548"));
  EXPECT_THAT(told_, IsEmpty());
  EXPECT_TRUE(server("49"));
  EXPECT_THAT(told_, ElementsAre("GET"));
}

TEST_F(QuickPairsTest, WhatIsUnusualIsKeptForAConversation) {
  EXPECT_TRUE(client("0203616263"));
  EXPECT_FALSE(server("07"));
  EXPECT_THAT(told_, IsEmpty());
  EXPECT_EQ(Bytes(pairs_.kept(Side::client).begin(), pairs_.kept(Side::client).end()),
            hex("0203616263"));
  EXPECT_EQ(Bytes(pairs_.kept(Side::server).begin(), pairs_.kept(Side::server).end()), hex("07"));
}

TEST_F(QuickPairsTest, ListingsAndSubscriptionsAreUnusual) {
  for (const char* const request : {"07", "1103616263", "ee"})
    EXPECT_FALSE(QuickPairs(shapes_).feed(Side::client, hex(request), [](std::size_t) {}));
}

TEST_F(QuickPairsTest, AReplyThatNobodyAskedForIsUnusual) { EXPECT_FALSE(server("01")); }

TEST_F(QuickPairsTest, AnUnlistedValueIsUnusual) { EXPECT_FALSE(client("010500991e0003616263")); }

TEST(Shapes, DatagramsAndRequestIdsHaveNone) {
  const captures::Format text(Width::none, Readings(protocol::ratelimit_udp, Profile::deployed));
  const captures::Format old(Width::u64, Readings(protocol::throttr_2_0, Profile::deployed));
  EXPECT_FALSE(Shapes(text).any());
  EXPECT_FALSE(Shapes(old).any());
}

}  // namespace
}  // namespace hallmark::observe
