// The way in which bytes arrive must not matter: fragmentation, limits, and bytes that are not a
// request.
#include <gtest/gtest.h>

#include "base/hex.hpp"
#include "reference/server/tests/session_harness.hpp"

namespace hallmark::server {
namespace {

using base::ByteView;
using protocol::Width;
using testing::SimulatedClient;
using testing::SimulatedOptions;
using testing::SimulatedServer;

/// Every operation once, some with both outcomes.
const char* const every_operation =
    "07 01 0200 04 1e00 03 616263  01 0200 04 1e00 03 616263  02 03 616263  02 03 7a7a7a"
    "03 00 01 0200 03 616263  03 01 00 3200 03 616263  05 04 1e00 03 0400 627566 45484c4f"
    "06 03 627566  06 04 6e6f7065  07 10 09 03 616263  08 18 11 02 6368  17 02 6368  17 02 7a7a  16"
    "13 02 0400 6368 45484c4f  14  15 00000000000000000000000000000000  12 02 6368  12 02 6368"
    "04 03 616263  04 03 616263  02 00";

std::string answers(const std::vector<ByteView>& pieces) {
  SimulatedServer server;
  SimulatedClient& client = server.connect();
  for (const ByteView piece : pieces) server.feed(client, piece);
  EXPECT_TRUE(client.in.empty());
  return SimulatedServer::take(client);
}

class SessionStream : public ::testing::Test {
 protected:
  const base::Bytes requests = base::from_hex(every_operation).value();
  const ByteView all{requests};
  const std::string expected = answers({all});
};

TEST_F(SessionStream, ByteByByteGivesTheSameBytes) {
  std::vector<ByteView> pieces;
  for (std::size_t i = 0; i < all.size(); ++i) pieces.push_back(all.subspan(i, 1));
  EXPECT_EQ(answers(pieces), expected);
}

TEST_F(SessionStream, SplitAtEveryPositionGivesTheSameBytes) {
  for (std::size_t at = 1; at < all.size(); ++at) {
    ASSERT_EQ(answers({all.first(at), all.subspan(at)}), expected) << "split at " << at;
  }
}

TEST_F(SessionStream, EveryRequestWasAnswered) {
  EXPECT_GT(expected.size(), 2U * (433 + 2 * 236)) << "INFO, CONNECTIONS and the rest";
}

TEST(SessionLimits, AnUnknownOpcodeEndsTheSessionAfterWhatCameBefore) {
  SimulatedServer server;
  SimulatedClient& client = server.connect();
  EXPECT_EQ(server.exchange(client,
                            "0201610201ff"
                            "ff"
                            "020161"),
            "0000");
  EXPECT_EQ(client.state, SessionState::finished);
}

TEST(SessionLimits, OpcodesOutsideTheTableAreUnknown) {
  for (int opcode = 0; opcode < 256; ++opcode) {
    const auto byte = static_cast<std::uint8_t>(opcode);
    SimulatedServer server;
    SimulatedClient& client = server.connect();
    server.feed(client, ByteView(&byte, 1));
    const bool known = protocol::find_operation(protocol::throttr_7_1, byte) != nullptr;
    EXPECT_EQ(client.state, known ? SessionState::reading : SessionState::finished) << opcode;
  }
}

TEST(SessionLimits, AValueThatIsTooLongIsSkippedAsItStreamsIn) {
  SimulatedServer server(SimulatedOptions{.width = Width::u32, .max_value_bytes = 1'000});
  SimulatedClient& client = server.connect();
  const std::size_t length = 100'000;
  server.feed(client, base::from_hex("05 04 09000000 01 a0860100 62").value());
  const base::Bytes piece(10'000, 0x02);
  for (std::size_t sent = 0; sent < length; sent += piece.size()) {
    EXPECT_EQ(SimulatedServer::take(client), "");
    server.feed(client, piece);
    EXPECT_TRUE(client.in.empty()) << "nothing of it is kept";
  }
  EXPECT_EQ(SimulatedServer::take(client), "00");
  EXPECT_EQ(server.exchange(client, "060162"), "00");
  EXPECT_EQ(client.connection->requests[index_of(model::Operation::set)], 1U);
  EXPECT_EQ(client.connection->read_bytes, 12U + length + 3);
}

TEST(SessionLimits, AValueOneByteTooLongIsRefusedAndOneThatFitsIsNot) {
  for (const auto arrives_at_once : {true, false}) {
    SimulatedServer server(SimulatedOptions{
        .width = Width::u8, .limits = {.max_value_bytes = 3}, .max_value_bytes = 3});
    SimulatedClient& client = server.connect();
    const auto requests =
        base::from_hex("05 04 09 01 04 62 01020304  05 04 09 01 03 62 010203").value();
    if (arrives_at_once) {
      server.feed(client, requests);
    } else {
      for (const std::uint8_t byte : requests) server.feed(client, ByteView(&byte, 1));
    }
    EXPECT_EQ(SimulatedServer::take(client), "0001");
  }
}

TEST(SessionLimits, AnOverlongRequestIsRefusedAlikeHoweverItArrives) {
  protocol::Readings hangs_up(protocol::throttr_7_1, protocol::Profile::deployed);
  ASSERT_TRUE(hangs_up.set("ttl-type-unknown", "closed"));
  base::Bytes requests = base::from_hex("05 ee 0900 01 bc02 62").value();  // no such type of TTL
  requests.resize(requests.size() + 700, 0x02);
  requests.insert(requests.end(), {0x06, 0x01, 0x62});
  for (const std::size_t cut : {std::size_t{0}, std::size_t{8}, std::size_t{300}}) {
    SimulatedServer server(SimulatedOptions{.readings = hangs_up, .max_value_bytes = 100});
    SimulatedClient& client = server.connect();
    server.feed(client, ByteView(requests).first(cut));
    server.feed(client, ByteView(requests).subspan(cut));
    EXPECT_EQ(SimulatedServer::take(client), "0000") << "cut after " << cut;
    EXPECT_EQ(client.state, SessionState::reading) << "cut after " << cut;
  }
}

// 2^64-1 bytes are claimed; the session must take no memory for them and keep nothing.
TEST(SessionLimits, TheLargestClaimCostsNothing) {
  SimulatedServer server(SimulatedOptions{.width = Width::u64});
  SimulatedClient& client = server.connect();
  const char* const claim = "05 04 0900000000000000 01 ffffffffffffffff 62";
  EXPECT_EQ(server.exchange(client, claim), "");
  const base::Bytes piece(100'000, 0xff);
  for (int i = 0; i < 50; ++i) server.feed(client, piece);
  EXPECT_EQ(client.state, SessionState::reading);
  EXPECT_TRUE(client.in.empty());
  EXPECT_LE(client.in.capacity(), 300'000U);
}

TEST(SessionLimits, AnOverlongPublicationReachesNobody) {
  SimulatedServer server(SimulatedOptions{.width = Width::u16, .max_value_bytes = 2});
  SimulatedClient& publisher = server.connect();
  SimulatedClient& subscriber = server.connect();
  server.exchange(subscriber, "110161");
  EXPECT_EQ(server.exchange(publisher,
                            "1301030061010203"
                            "130102006101ff"),
            "");
  EXPECT_EQ(SimulatedServer::take(subscriber), "03020001ff");
}

TEST(SessionLimits, StopsAnsweringWhenTheOutputIsFull) {
  SimulatedServer server(SimulatedOptions{.max_output_bytes = 10});
  SimulatedClient& client = server.connect();
  base::Bytes many;
  for (int i = 0; i < 25; ++i) many.insert(many.end(), {0x02, 0x01, 0x61});
  server.feed(client, many);
  EXPECT_EQ(client.state, SessionState::throttled);
  EXPECT_EQ(client.out.size(), 10U);
  std::string replies = SimulatedServer::take(client);
  while (client.state == SessionState::throttled && replies.size() < 100) {
    server.resume(client);
    replies += SimulatedServer::take(client);
  }
  EXPECT_EQ(replies, std::string(50, '0'));
}

}  // namespace
}  // namespace hallmark::server
