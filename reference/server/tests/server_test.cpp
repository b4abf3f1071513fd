#include "reference/server/server.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include <atomic>
#include <thread>

#include "base/hex.hpp"
#include "protocol/little_endian.hpp"
#include "reference/server/tests/server_harness.hpp"

namespace hallmark::server {
namespace {

using testing::BlockingClient;
using testing::RunningServer;
using testing::unique_socket_path;

constexpr const char* insert_key = "01 0a00 06 0100 01 6b";
constexpr const char* query_key = "02 01 6b";
constexpr const char* query_missing = "02 01 7a";

bool exists(const std::string& path) {
  struct stat status {};
  return ::lstat(path.c_str(), &status) == 0;
}

TEST(Server, ServesTcpAndNamesThePortTheSystemChose) {
  RunningServer running;
  EXPECT_NE(std::get<base::TcpEndpoint>(running.endpoint()).port, 0U);
  BlockingClient client(running.endpoint());
  EXPECT_EQ(client.exchange(insert_key, 1), "01");
  EXPECT_EQ(client.exchange(query_key, 6).substr(0, 8), "010a0006");
}

TEST(Server, ServesSeveralEndpointsAroundOneModel) {
  const std::string path = unique_socket_path();
  ServerOptions options;
  options.listen = {base::TcpEndpoint{"127.0.0.1", 0}, base::UnixEndpoint{path}};
  options.threads = 2;
  RunningServer running(options);
  ASSERT_EQ(running.server.endpoints().size(), 2U);
  BlockingClient by_tcp(running.server.endpoints()[0]);
  BlockingClient by_unix(running.server.endpoints()[1]);
  EXPECT_EQ(by_tcp.exchange(insert_key, 1), "01");
  EXPECT_EQ(by_unix.exchange(query_key, 6).substr(0, 8), "010a0006");
  running.server.stop();
  EXPECT_FALSE(exists(path)) << "a Unix socket is removed when the server stops";
}

TEST(Server, ServesIpv6) {
  ServerOptions options;
  options.listen = {base::TcpEndpoint{"::1", 0}};
  Server server;
  const auto started = server.start(options);
  ASSERT_TRUE(started) << started.error().message;
  BlockingClient client(server.endpoints().front());
  const std::string id = client.exchange("18", 17).substr(2);
  const std::string connection = client.exchange("15" + id, 236);
  EXPECT_EQ(connection.substr(34, 2 + 2 * 3), "063a3a31") << "version 6, ::1";
}

TEST(Server, ShowsIpv4AsText) {
  RunningServer running;
  BlockingClient client(running.endpoint());
  const std::string id = client.exchange("18", 17).substr(2);
  const std::string connection = client.exchange("15" + id, 236);
  EXPECT_EQ(connection.substr(34, 34),
            "04"
            "3132372e302e302e31"
            "00000000000000");
}

TEST(Server, RefusesAnAddressThatIsInUse) {
  RunningServer running;
  ServerOptions options;
  options.listen = {running.endpoint()};
  Server second;
  const auto started = second.start(options);
  ASSERT_FALSE(started.has_value());
  EXPECT_EQ(started.error().message, fmt::format("cannot listen on {}: Address already in use",
                                                 to_string(running.endpoint())));
}

TEST(Server, RefusesAUnixSocketThatIsInUseAndTakesOverAStaleOne) {
  const std::string path = unique_socket_path();
  ServerOptions options;
  options.listen = {base::UnixEndpoint{path}};
  {
    RunningServer running(options);
    Server second;
    EXPECT_FALSE(second.start(options).has_value());
    EXPECT_EQ(BlockingClient(running.endpoint()).exchange(query_missing, 1), "00");
  }
  {
    testing::asio::io_context context;
    testing::asio::local::stream_protocol::acceptor left_behind(context, {path});
  }
  ASSERT_TRUE(exists(path));
  RunningServer running(options);
  EXPECT_EQ(BlockingClient(running.endpoint()).exchange(query_missing, 1), "00");
}

TEST(Server, AnswersEverythingBeforeTheEndOfInput) {
  RunningServer running;
  BlockingClient client(running.endpoint());
  base::Bytes requests;
  for (int i = 0; i < 10'000; ++i) requests.insert(requests.end(), {0x02, 0x01, 0x7a});
  requests.push_back(0x02);
  client.send_bytes(requests);
  client.end_input();
  EXPECT_EQ(client.receive(10'001), std::string(20'000, '0'));
}

TEST(Server, AnswersEverythingBeforeAnUnknownOpcodeThenCloses) {
  RunningServer running;
  BlockingClient client(running.endpoint());
  base::Bytes requests;
  for (int i = 0; i < 1'000; ++i) requests.insert(requests.end(), {0x02, 0x01, 0x7a});
  requests.resize(requests.size() + 100'000, 0xff);
  client.send_bytes(requests);
  EXPECT_EQ(client.receive(1'000), std::string(2'000, '0'));
  EXPECT_TRUE(client.is_at_end()) << "a reset could overtake the replies";
}

TEST(Server, SurvivesResetsInTheMiddleOfARequest) {
  RunningServer running;
  for (int i = 0; i < 20; ++i) {
    BlockingClient client(running.endpoint());
    client.send("11 02 6368");
    client.send("05 04 0900 01 ff");
    client.reset();
  }
  BlockingClient bystander(running.endpoint());
  EXPECT_EQ(bystander.exchange(query_missing, 1), "00");
}

TEST(Server, ClosesConnectionsBeyondTheLimit) {
  ServerOptions options;
  options.limits.max_connections = 2;
  RunningServer running(options);
  BlockingClient first(running.endpoint());
  BlockingClient second(running.endpoint());
  EXPECT_EQ(first.exchange(query_missing, 1), "00");
  EXPECT_EQ(second.exchange(query_missing, 1), "00");
  BlockingClient third(running.endpoint());
  EXPECT_TRUE(third.is_at_end());
  EXPECT_EQ(first.exchange(query_missing, 1), "00");
}

// Two hundred replies of a megabyte are asked for and none is read: the server must answer only as
// many as its limit and the buffers of the system hold, and the rest when the client reads.
TEST(Server, StopsAnsweringASlowReader) {
  constexpr std::size_t length = 1'000'000;
  constexpr std::size_t reply_bytes = 1 + 1 + 4 + 4 + length;
  constexpr int asked = 200;
  ServerOptions options;
  options.width = protocol::Width::u32;
  options.limits.max_output_bytes = 65'536;
  RunningServer running(options);
  BlockingClient slow(running.endpoint());
  const std::string id = slow.exchange("18", 17).substr(2);
  base::Bytes set = base::from_hex("05 06 01000000 01 40420f00 76").value();
  set.resize(set.size() + length, 0x55);
  slow.send_bytes(set);
  EXPECT_EQ(slow.receive(1), "01");
  base::Bytes gets;
  for (int i = 0; i < asked; ++i) gets.insert(gets.end(), {0x06, 0x01, 0x76});
  slow.send_bytes(gets);

  BlockingClient bystander(running.endpoint());
  const auto entry = base::from_hex(bystander.exchange("15" + id, 236)).value();
  const std::uint64_t written =
      protocol::load_little_endian(&entry[1 + 16 + 1 + 16 + 2 + 8 + 8], 8);
  EXPECT_LT(written, 50 * reply_bytes);

  for (int i = 0; i < asked; ++i)
    ASSERT_EQ(slow.receive_bytes(reply_bytes).size(), reply_bytes) << i;
  EXPECT_EQ(slow.exchange(query_missing, 1), "00");
}

TEST(Server, DisconnectsASubscriberThatDoesNotKeepUp) {
  ServerOptions options;
  options.threads = 2;
  options.limits.max_backlog_bytes = 100'000;
  RunningServer running(options);
  BlockingClient subscriber(running.endpoint());
  BlockingClient publisher(running.endpoint());
  EXPECT_EQ(subscriber.exchange("11 01 61", 1), "01");
  base::Bytes publish = base::from_hex("13 01 60ea 61").value();
  publish.resize(publish.size() + 60'000, 0x55);
  // A channel without subscribers answers 00: the subscriber is gone.
  int published = 0;
  std::string channel = "01";
  for (; channel == "01" && published < 5'000; ++published) {
    publisher.send_bytes(publish);
    channel = publisher.exchange("17 01 61", 1);
    if (channel == "01") publisher.receive(8 + 40);
  }
  EXPECT_EQ(channel, "00") << "after " << published << " publications";
}

TEST(Server, DeliversAcrossThreadsInOrder) {
  constexpr int publications = 2'000;
  constexpr int subscribers = 6;
  ServerOptions options;
  options.threads = 3;
  RunningServer running(options);
  std::vector<std::unique_ptr<BlockingClient>> clients;
  for (int i = 0; i < subscribers; ++i) {
    clients.push_back(std::make_unique<BlockingClient>(running.endpoint()));
    ASSERT_EQ(clients.back()->exchange("11 02 6368", 1), "01");
  }
  std::thread publisher_thread([&] {
    BlockingClient publisher(running.endpoint());
    for (int i = 0; i < publications; ++i) {
      publisher.send(fmt::format("13 02 0400 6368 {:08x}", i));
    }
    EXPECT_EQ(publisher.exchange(query_missing, 1), "00");
  });
  for (auto& client : clients) {
    for (int i = 0; i < publications; ++i) {
      ASSERT_EQ(client->receive(7), fmt::format("030400{:08x}", i));
    }
  }
  publisher_thread.join();
}

/// The first byte of the next reply, after any number of deliveries of one byte.
std::string skip_deliveries(BlockingClient& subscriber) {
  std::string first = subscriber.receive(1);
  for (; first == "03"; first = subscriber.receive(1)) subscriber.receive(3);
  return first;
}

// After the reply to UNSUBSCRIBE nothing of the channel may come any more, whatever thread
// publishes: long bursts make it likely that the request has to wait for a publication.
TEST(Server, NothingIsDeliveredAfterUnsubscribing) {
  ServerOptions options;
  options.threads = 2;
  RunningServer running(options);
  BlockingClient subscriber(running.endpoint());
  std::atomic<bool> is_over = false;
  std::thread publisher_thread([&] {
    BlockingClient publisher(running.endpoint());
    base::Bytes burst;
    for (int i = 0; i < 300; ++i) burst.insert(burst.end(), {0x13, 0x01, 0x01, 0x00, 0x61, 0x78});
    burst.insert(burst.end(), {0x02, 0x01, 0x7a});
    while (!is_over) {
      publisher.send_bytes(burst);
      publisher.receive(1);
    }
  });
  for (int round = 0; round < 200 && !HasFailure(); ++round) {
    EXPECT_EQ(subscriber.exchange("11 01 61", 1), "01");
    EXPECT_EQ(subscriber.receive(4), "03010078");
    subscriber.send("12 01 61  02 01 7a");
    EXPECT_EQ(skip_deliveries(subscriber), "01");
    EXPECT_EQ(subscriber.receive(1), "00") << "a delivery after UNSUBSCRIBE, round " << round;
  }
  is_over = true;
  publisher_thread.join();
}

TEST(Server, CountsExactlyUnderConcurrentUpdates) {
  constexpr int clients = 4;
  constexpr int updates = 2'000;
  ServerOptions options;
  options.threads = 2;
  RunningServer running(options);
  BlockingClient observer(running.endpoint());
  ASSERT_EQ(observer.exchange("01 0000 06 0100 01 6b", 1), "01");
  std::vector<std::thread> threads;
  for (int i = 0; i < clients; ++i) {
    threads.emplace_back([&] {
      BlockingClient client(running.endpoint());
      base::Bytes increments;
      for (int n = 0; n < updates; ++n) {
        const auto one = base::from_hex("03 00 01 0100 01 6b").value();
        increments.insert(increments.end(), one.begin(), one.end());
      }
      client.send_bytes(increments);
      client.receive(updates);
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(observer.exchange(query_key, 6).substr(0, 6), "01401f") << "8,000";
}

TEST(Server, StopSendsWhatIsPendingAndClosesTheRest) {
  RunningServer running;
  BlockingClient client(running.endpoint());
  EXPECT_EQ(client.exchange(query_missing, 1), "00");
  const StreamEndpoint endpoint = running.endpoint();
  running.server.stop();
  EXPECT_TRUE(client.is_at_end());
  EXPECT_THROW(BlockingClient{endpoint}, boost::system::system_error);
}

TEST(Server, StopDoesNotWaitForAReaderThatNeverReads) {
  ServerOptions options;
  options.width = protocol::Width::u32;
  options.stop_within = std::chrono::milliseconds(10);
  RunningServer running(options);
  BlockingClient slow(running.endpoint());
  base::Bytes set = base::from_hex("05 06 01000000 01 40420f00 76").value();
  set.resize(set.size() + 1'000'000, 0x55);
  slow.send_bytes(set);
  EXPECT_EQ(slow.receive(1), "01");
  base::Bytes gets;
  for (int i = 0; i < 100; ++i) gets.insert(gets.end(), {0x06, 0x01, 0x76});
  slow.send_bytes(gets);
  EXPECT_EQ(slow.receive(1), "01");
  running.server.stop();
}

}  // namespace
}  // namespace hallmark::server
