#include "reference/server/datagram_batch.hpp"

#include <gtest/gtest.h>

#include "reference/server/tests/datagram_client.hpp"

namespace hallmark::server {
namespace {

using testing::DatagramClient;

constexpr int some_room = 1 << 20;

const base::UdpEndpoint loopback{"127.0.0.1", 0};

DatagramSocket socket_on(const base::UdpEndpoint& endpoint) {
  return *DatagramSocket::bind(endpoint, some_room);
}

TEST(DatagramSocket, GetsAPortAndRoom) {
  const DatagramSocket socket = socket_on(loopback);
  EXPECT_GT(socket.endpoint().port, 0);
  EXPECT_GT(socket.receive_buffer_bytes(), 0);
  EXPECT_EQ(socket.dropped(), 0U);
}

TEST(DatagramSocket, SaysWhyItCannotListen) {
  const DatagramSocket taken = socket_on(loopback);
  const auto second = DatagramSocket::bind(taken.endpoint(), some_room);
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().message,
            "cannot listen on " + to_string(taken.endpoint()) + ": Address already in use");
  const auto foreign = DatagramSocket::bind({"192.0.2.1", 2000}, some_room);
  ASSERT_FALSE(foreign);
  EXPECT_EQ(foreign.error().message,
            "cannot listen on udp://192.0.2.1:2000: Cannot assign requested address");
}

TEST(DatagramSocket, CountsWhatTheSystemThrewAway) {
  const DatagramSocket socket = *DatagramSocket::bind(loopback, 1);
  DatagramClient client(socket.endpoint());
  constexpr std::uint64_t sent = 1'000;  // more than the least room there is
  for (std::uint64_t i = 0; i < sent; ++i) client.send("ping");
  DatagramBatch batch(64, 1'001);
  std::uint64_t received = 0;
  while (const std::size_t count = batch.receive(socket)) received += count;
  EXPECT_GT(socket.dropped(), 0U);
  EXPECT_EQ(received + socket.dropped(), sent);
}

TEST(DatagramBatch, TakesWhatArrivedInItsOrderAndNoMoreThanItHasRoomFor) {
  const DatagramSocket socket = socket_on(loopback);
  DatagramClient client(socket.endpoint());
  for (const char* const text : {"a", "", "ccc"}) client.send(text);
  DatagramBatch batch(2, 2);
  ASSERT_EQ(batch.receive(socket), 2U);
  EXPECT_EQ(base::as_text(batch.datagram(0)), "a");
  EXPECT_EQ(base::as_text(batch.datagram(1)), "");
  ASSERT_EQ(batch.receive(socket), 1U);
  EXPECT_EQ(base::as_text(batch.datagram(0)), "cc");  // as many bytes as were asked for
  EXPECT_EQ(batch.receive(socket), 0U);
}

void reply(DatagramBatch& batch, std::size_t index, std::string_view text) {
  batch.replies().append(base::as_bytes(text));
  batch.reply_to(index, text.size());
}

TEST(DatagramBatch, ARefusedReplyHoldsUpNoOther) {
  const DatagramSocket socket = socket_on(loopback);
  DatagramClient client(socket.endpoint());
  for (int i = 0; i < 4; ++i) client.send("x");
  DatagramBatch batch(64, 1'001);
  ASSERT_EQ(batch.receive(socket), 4U);
  const std::string too_long(65'536, 'x');
  reply(batch, 0, too_long);
  reply(batch, 1, "one");
  reply(batch, 2, too_long);
  reply(batch, 3, "three");
  const DatagramOutbox::Sent sent = batch.send(socket);
  EXPECT_EQ(sent.replies, 2U);
  EXPECT_EQ(sent.errors, 2U);
  EXPECT_EQ(client.receive(), "one");
  EXPECT_EQ(client.receive(), "three");
  // The batch is as good as new.
  client.send("again");
  ASSERT_EQ(batch.receive(socket), 1U);
  reply(batch, 0, "yes");
  EXPECT_EQ(batch.send(socket).replies, 1U);
  EXPECT_EQ(client.receive(), "yes");
}

TEST(DatagramBatch, MergedRepliesArriveOneByOneInTheirOrder) {
  for (const bool merges : {true, false}) {
    const DatagramSocket socket = socket_on(loopback);
    DatagramClient one(socket.endpoint());
    DatagramClient other(socket.endpoint());
    // Replies of one size and of others, first all to one client, then to two in turn.
    const std::vector<std::string> to_one = {"aa", "bb", "cc", "d", "eeee", "ff", "gg"};
    for (std::size_t i = 0; i < to_one.size(); ++i) one.send("x");
    other.send("x");
    one.send("x");
    other.send("x");
    DatagramBatch batch(64, 1'001, merges);
    ASSERT_EQ(batch.receive(socket), 10U);
    for (std::size_t i = 0; i < to_one.size(); ++i) reply(batch, i, to_one[i]);
    reply(batch, 7, "11");
    reply(batch, 8, "hh");
    reply(batch, 9, "22");
    EXPECT_EQ(batch.send(socket).replies, 10U);
    for (const std::string& text : to_one) EXPECT_EQ(one.receive(), text);
    EXPECT_EQ(one.receive(), "hh");
    EXPECT_EQ(other.receive(), "11");
    EXPECT_EQ(other.receive(), "22");
  }
}

TEST(DatagramBatch, MoreRepliesThanOnePieceHoldsArriveAll) {
  const DatagramSocket socket = socket_on(loopback);
  DatagramClient client(socket.endpoint());
  constexpr std::size_t many = 150;
  for (std::size_t i = 0; i < many; ++i) client.send("x");
  DatagramBatch batch(200, 1'001);
  ASSERT_EQ(batch.receive(socket), many);
  const std::string padding(100, 'x');
  for (std::size_t i = 0; i < many; ++i) reply(batch, i, std::to_string(1'000 + i) + padding);
  EXPECT_EQ(batch.send(socket).replies, many);
  for (std::size_t i = 0; i < many; ++i) {
    ASSERT_EQ(client.receive(), std::to_string(1'000 + i) + padding);
  }
}

TEST(DatagramBatch, WhereTheSystemCannotCutRepliesAreSentOneByOne) {
  const DatagramSocket socket = socket_on(loopback);
  // Pieces need checksums, and a socket without them is refused.
  const int yes = 1;
  ASSERT_EQ(::setsockopt(socket.descriptor(), SOL_SOCKET, SO_NO_CHECK, &yes, sizeof yes), 0);
  DatagramClient client(socket.endpoint());
  DatagramBatch batch(64, 1'001);
  for (int round = 0; round < 2; ++round) {
    for (int i = 0; i < 3; ++i) client.send("x");
    ASSERT_EQ(batch.receive(socket), 3U);
    for (const std::size_t i : {0U, 1U, 2U}) reply(batch, i, "reply " + std::to_string(i));
    const DatagramOutbox::Sent sent = batch.send(socket);
    EXPECT_EQ(sent.replies, 3U);
    EXPECT_EQ(sent.errors, 0U);
    for (const char* const text : {"reply 0", "reply 1", "reply 2"}) {
      EXPECT_EQ(client.receive(), text);
    }
  }
}

TEST(DatagramBatch, NothingToSendIsNothing) {
  const DatagramSocket socket = socket_on(loopback);
  DatagramBatch batch(2, 10);
  EXPECT_EQ(batch.receive(socket), 0U);
  const DatagramOutbox::Sent sent = batch.send(socket);
  EXPECT_EQ(sent.replies + sent.errors, 0U);
}

}  // namespace
}  // namespace hallmark::server
