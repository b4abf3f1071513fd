#include "reference/server/datagram_server.hpp"

#include <gmock/gmock.h>

#include <map>

#include "reference/server/server.hpp"
#include "reference/server/tests/datagram_client.hpp"

namespace hallmark::server {
namespace {

using boost::asio::ip::make_address;
using protocol::ratelimit::Rules;
using testing::DatagramClient;

base::Result<base::UdpEndpoint> parsed(const char* text) {
  return base::parse_endpoint<base::UdpEndpoint>(text, base::Ports::to_listen);
}

/// A server on loopback for the length of a test.
class Running {
 public:
  explicit Running(std::vector<const char*> listen = {"udp://127.0.0.1:0"},
                   DatagramServerOptions options = {}) {
    for (const char* const text : listen) options.listen.push_back(*parsed(text));
    const auto started = server.start(options);
    EXPECT_TRUE(started.has_value()) << (started ? "" : started.error().message);
  }

  const base::UdpEndpoint& endpoint(std::size_t index = 0) const {
    return server.endpoints()[index];
  }

  DatagramServer server;
};

TEST(DatagramServer, AnswersOverIpv4AndIpv6) {
  Running running({"udp://127.0.0.1:0", "udp://[::1]:0"});
  for (const std::size_t index : {0U, 1U}) {
    DatagramClient client(running.endpoint(index));
    EXPECT_EQ(client.exchange("ping"), "pong");
    EXPECT_EQ(client.exchange("17 ping"), "17 pong");
    EXPECT_EQ(client.came_from().port(), running.endpoint(index).port);
  }
  // One limiter for all endpoints.
  EXPECT_EQ(DatagramClient(running.endpoint(0)).exchange("over_limit ws ip=1"), "ok N 0.0 22.0 20");
  EXPECT_EQ(DatagramClient(running.endpoint(1)).exchange("get_size"), "size=1 keys=1");
}

TEST(DatagramServer, AnswersManyInFlightEachOnce) {
  Running running;
  DatagramClient client(running.endpoint());
  constexpr int many = 200;  // several batches, and within the client's room
  for (int i = 0; i < many; ++i) client.send(std::to_string(i) + " ping");
  std::map<std::string, int> replies;
  for (int i = 0; i < many; ++i) ++replies[client.receive()];
  for (int i = 0; i < many; ++i) EXPECT_EQ(replies[std::to_string(i) + " pong"], 1) << i;
}

TEST(DatagramServer, AnswersSeveralClientsEachItsOwn) {
  Running running;
  DatagramClient one(running.endpoint());
  DatagramClient other(running.endpoint());
  for (int i = 0; i < 100; ++i) {
    one.send("1" + std::to_string(i) + " ping");
    other.send("2" + std::to_string(i) + " ping");
  }
  for (int i = 0; i < 100; ++i) {
    EXPECT_EQ(one.receive(), "1" + std::to_string(i) + " pong");
    EXPECT_EQ(other.receive(), "2" + std::to_string(i) + " pong");
  }
}

TEST(DatagramServer, IsSilentToWhatIsNoRequestAndCountsIt) {
  Running running;
  DatagramClient client(running.endpoint());
  const std::string longest = "get_stats " + std::string(990, '\xff');
  client.send("");
  client.send("PING");
  client.send(longest + "k");
  client.send(std::string(60'000, 'x'));
  client.send("get_stats a\nb");
  // One socket's replies come in the order of its requests, so the datagrams above got no reply.
  EXPECT_EQ(client.exchange(longest),
            "n_req=0 n_over=0 last_max_rate=0 key=" + std::string(990, '\xff'));
  EXPECT_EQ(client.exchange("get_stats \x01 \x80"),
            "n_req=0 n_over=0 last_max_rate=0 key=\x01 \x80");
  running.server.stop();
  EXPECT_EQ(running.server.counts(), (DatagramCounts{7, 2, 5, 0, 0}));
}

TEST(DatagramServer, ReadsLongRequestsWhereTheReadingSaysSo) {
  DatagramServerOptions options;
  options.readings.choose({"long-request", "read"});
  Running running({"udp://127.0.0.1:0"}, options);
  DatagramClient client(running.endpoint());
  const std::string key(50'000, 'k');
  EXPECT_EQ(client.exchange("get_stats " + key), "n_req=0 n_over=0 last_max_rate=0 key=" + key);
  // Whose reply is too long for a datagram: the server goes on.
  client.send("get_stats " + std::string(65'490, 'k'));
  EXPECT_EQ(client.exchange("ping"), "pong");
  running.server.stop();
  EXPECT_EQ(running.server.counts(), (DatagramCounts{3, 2, 0, 1, 0}));
}

TEST(DatagramServer, RepliesComeFromTheAddressThatWasAsked) {
  Running running({"udp://0.0.0.0:0", "udp://[::]:0"});
  for (const char* const address : {"127.0.0.1", "127.0.0.2", "127.1.2.3"}) {
    DatagramClient client(running.endpoint(0), make_address(address));
    EXPECT_EQ(client.exchange("ping"), "pong");
    EXPECT_EQ(client.came_from().address().to_string(), address);
    DatagramClient through_ipv6(running.endpoint(1), make_address(address));
    EXPECT_EQ(through_ipv6.exchange("ping"), "pong");
    EXPECT_EQ(through_ipv6.came_from().address().to_string(), address);
  }
  DatagramClient client(running.endpoint(1), make_address("::1"));
  EXPECT_EQ(client.exchange("ping"), "pong");
  EXPECT_EQ(client.came_from().address().to_string(), "::1");
}

TEST(DatagramServer, OutlivesClientsThatAreGone) {
  Running running;
  for (int i = 0; i < 50; ++i) {
    // Closed before the reply comes: the system answers that one with an ICMP error.
    DatagramClient(running.endpoint()).send("ping");
  }
  DatagramClient client(running.endpoint());
  EXPECT_EQ(client.exchange("ping"), "pong");
}

TEST(DatagramServer, LimitsByItsRules) {
  DatagramServerOptions options;
  options.rules = Rules::parse("1/86400 strict stats \"a*\" as \"all\"").value();
  options.max_keys = 1;
  Running running({"udp://127.0.0.1:0"}, options);
  DatagramClient client(running.endpoint());
  EXPECT_EQ(client.exchange("over_limit a1"), "ok N 0.0 1.0 86400");
  client.exchange("over_limit a2");
  EXPECT_EQ(client.exchange("over_limit a3"), "ok Y 2.0 1.0 86400");
  EXPECT_EQ(client.exchange("get_stats all"), "n_req=3 n_over=1 last_max_rate=0 key=all");
}

TEST(DatagramServer, ThatCannotListenStartsNothing) {
  Running running;
  DatagramServer second;
  DatagramServerOptions options;
  options.listen = {{"127.0.0.1", 0}, running.endpoint()};
  const auto started = second.start(options);
  ASSERT_FALSE(started);
  EXPECT_EQ(started.error().message,
            "cannot listen on " + to_string(running.endpoint()) + ": Address already in use");
  EXPECT_TRUE(second.endpoints().empty());
}

TEST(DatagramServer, StopsWhileItIsAskedAndGivesItsPortBack) {
  Running running;
  const base::UdpEndpoint endpoint = running.endpoint();
  DatagramClient client(endpoint);
  for (int i = 0; i < 1'000; ++i) client.send("ping");
  running.server.stop();
  running.server.stop();
  const DatagramCounts counts = running.server.counts();
  EXPECT_EQ(counts.received, counts.answered + counts.ignored + counts.send_errors);
  Running again({to_string(endpoint).c_str()});
  EXPECT_EQ(DatagramClient(endpoint).exchange("ping"), "pong");
}

TEST(DatagramServer, TellsItsRoomAndItsCountsInALine) {
  Running running;
  EXPECT_GT(running.server.receive_buffer_bytes(), 0);
  EXPECT_EQ(to_string(DatagramCounts{7, 3, 2, 1, 4}),
            "7 datagrams received, 3 answered, 2 ignored, 4 dropped by the kernel, 1 send errors");
}

}  // namespace
}  // namespace hallmark::server
