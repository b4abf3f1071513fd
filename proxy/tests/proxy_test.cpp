#include "proxy/proxy.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <list>

#include "proxy/tests/peer.hpp"

namespace hallmark::proxy {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;
using testing::IsEmpty;

Endpoint endpoint_of(const Udp::endpoint& address) {
  return {address.address().to_string(), address.port()};
}

ProxyOptions options_to(const Udp::endpoint& target) {
  return {.listen = {"127.0.0.1", 0}, .target = endpoint_of(target), .seed = 7};
}

/// Succeeds if `bytes` come back to `client`, unchanged, from the endpoint that they were sent to.
testing::AssertionResult comes_back(Peer& client, const std::string& bytes,
                                    const Udp::endpoint& proxy) {
  client.send(bytes, proxy);
  const auto reply = client.receive();
  if (!reply) return testing::AssertionFailure() << "no reply to " << bytes.size() << " bytes";
  if (client.sender() != proxy) return testing::AssertionFailure() << "reply of a stranger";
  if (*reply != bytes) return testing::AssertionFailure() << "not the same bytes";
  return testing::AssertionSuccess();
}

void expect_conserved(const Summary& summary) {
  EXPECT_TRUE(summary.requests.conserved());
  EXPECT_TRUE(summary.replies.conserved());
}

TEST(Proxy, every_datagram_passes_unchanged) {
  const Echo echo;
  Proxy proxy;
  ASSERT_TRUE(proxy.start(options_to(echo.address())));
  Peer client;
  std::string all_bytes;
  for (int i = 0; i < 256; ++i) all_bytes += static_cast<char>(i);
  const std::string messages[] = {"17 ping", "", all_bytes, "line\nline", std::string(65'507, 'x')};
  for (const auto& message : messages) {
    EXPECT_TRUE(comes_back(client, message, proxy.listens_on()));
  }
  const auto summary = proxy.stop();
  EXPECT_EQ(summary.requests, (Counts{.received = 5, .forwarded = 5}));
  EXPECT_EQ(summary.replies, (Counts{.received = 5, .forwarded = 5}));
  EXPECT_EQ(summary.flows_opened, 1U);
}

TEST(Proxy, either_side_may_be_ipv6) {
  for (const char* const server : {"127.0.0.1", "::1"}) {
    for (const char* const side : {"127.0.0.1", "::1"}) {
      const Echo echo(server);
      Proxy proxy;
      auto options = options_to(echo.address());
      options.listen.host = side;
      ASSERT_TRUE(proxy.start(options));
      Peer client(side);
      EXPECT_TRUE(comes_back(client, "ping", proxy.listens_on())) << side << ' ' << server;
    }
  }
}

TEST(Proxy, names_are_resolved) {
  const Echo echo;
  Proxy proxy;
  auto options = options_to(echo.address());
  options.target.host = "localhost";
  ASSERT_TRUE(proxy.start(options));
  EXPECT_EQ(proxy.forwards_to(), echo.address());
  Peer client;
  EXPECT_TRUE(comes_back(client, "ping", proxy.listens_on()));
}

TEST(Proxy, replies_find_their_client) {
  const Echo echo;
  Proxy proxy;
  ASSERT_TRUE(proxy.start(options_to(echo.address())));
  std::list<Peer> clients(100);
  for (int round = 0; round < 3; ++round) {
    int number = 0;
    for (Peer& client : clients) {
      client.send(fmt::format("{} {}", round, number++), proxy.listens_on());
    }
    number = 0;
    for (Peer& client : clients) {
      EXPECT_EQ(client.receive(), fmt::format("{} {}", round, number++));
    }
  }
  const auto summary = proxy.stop();
  expect_conserved(summary);
  EXPECT_EQ(summary.flows_opened, 100U);
  EXPECT_EQ(summary.replies.forwarded, 300U);
  for (Peer& client : clients) EXPECT_THAT(client.received(), IsEmpty());
}

TEST(Proxy, what_came_before_the_stop_is_still_decided_about) {
  Peer server, client;
  Proxy proxy;
  auto options = options_to(server.address());
  options.requests.drop = 1;
  ASSERT_TRUE(proxy.start(options));
  for (int i = 0; i < 100; ++i) client.send("over_limit key", proxy.listens_on());
  const auto summary = proxy.stop();
  EXPECT_EQ(summary.requests, (Counts{.received = 100, .dropped = 100}));
  EXPECT_EQ(summary.replies, Counts{});
  EXPECT_THAT(server.received(), IsEmpty());
}

TEST(Proxy, each_direction_has_its_faults) {
  const Echo echo;
  Peer client;
  Proxy proxy;
  auto options = options_to(echo.address());
  options.requests.duplicate = 1;
  ASSERT_TRUE(proxy.start(options));
  client.send("ping", proxy.listens_on());
  EXPECT_EQ(client.receive(), "ping");
  EXPECT_EQ(client.receive(), "ping");
  const auto summary = proxy.stop();
  EXPECT_EQ(summary.requests, (Counts{.received = 1, .duplicated = 1, .forwarded = 2}));
  EXPECT_EQ(summary.replies, (Counts{.received = 2, .forwarded = 2}));
}

constexpr FaultPlan disorder{.drop = 0.1,
                             .duplicate = 0.1,
                             .reorder = 0.2,
                             .corrupt = 0.1,
                             .truncate = 0.1,
                             .overtaken_by_at_most = 5,
                             .held_back_at_most = 1h};

/// The requests that arrive of a hundred, in order.
std::vector<std::string> arriving(const FaultPlan& plan) {
  Peer server, client;
  Proxy proxy;
  auto options = options_to(server.address());
  options.requests = plan;
  EXPECT_TRUE(proxy.start(options));
  for (int i = 0; i < 100; ++i) client.send(fmt::format("request {}", i), proxy.listens_on());
  expect_conserved(proxy.stop());
  return server.received();
}

TEST(Proxy, a_seed_gives_the_same_faults_in_every_run) {
  const auto first = arriving(disorder);
  EXPECT_EQ(first, arriving(disorder));
  EXPECT_GT(first.size(), 50U);
}

TEST(Proxy, sockets_see_what_the_simulation_predicts) {
  Relay relay(Faults(7, disorder, {}));
  const auto flow = relay.open_flow();
  std::vector<std::string> predicted;
  for (int i = 0; i < 100; ++i) {
    const auto text = fmt::format("request {}", i);
    const std::vector<std::uint8_t> bytes(text.begin(), text.end());
    relay.receive(Direction::requests, flow, bytes, 0ns);
    while (const auto departure = relay.take_due(0ns)) {
      predicted.emplace_back(departure->bytes.begin(), departure->bytes.end());
    }
  }
  EXPECT_EQ(arriving(disorder), predicted);
}

TEST(Proxy, delayed_datagrams_arrive_all_the_same) {
  const Echo echo;
  Peer client;
  Proxy proxy;
  auto options = options_to(echo.address());
  options.requests.delay = options.replies.delay = {0ms, 5ms};
  ASSERT_TRUE(proxy.start(options));
  std::vector<std::string> sent, came;
  for (int i = 0; i < 100; ++i) {
    sent.push_back(fmt::format("request {}", i));
    client.send(sent.back(), proxy.listens_on());
  }
  while (came.size() < sent.size()) {
    const auto reply = client.receive();
    ASSERT_TRUE(reply) << came.size();
    came.push_back(*reply);
  }
  EXPECT_THAT(came, testing::UnorderedElementsAreArray(sent));
  const auto summary = proxy.stop();
  expect_conserved(summary);
  EXPECT_EQ(summary.replies.forwarded, 100U);
}

TEST(Proxy, what_has_still_to_wait_at_the_stop_is_held) {
  Peer server, client;
  Proxy proxy;
  auto options = options_to(server.address());
  options.requests.delay = {1h, 1h};
  ASSERT_TRUE(proxy.start(options));
  for (int i = 0; i < 10; ++i) client.send("ping", proxy.listens_on());
  const auto summary = proxy.stop();
  EXPECT_EQ(summary.requests, (Counts{.received = 10, .held = 10, .delayed = 10}));
  EXPECT_EQ(proxy.stop().requests, summary.requests);
}

/// An address at which nobody listens.
Udp::endpoint deserted() { return Peer().address(); }

TEST(Proxy, a_target_may_come_up_later) {
  const Udp::endpoint target = deserted();
  Proxy proxy;
  ASSERT_TRUE(proxy.start(options_to(target)));
  Peer client;
  for (int i = 0; i < 3; ++i) client.send("into the void", proxy.listens_on());
  const Echo echo("127.0.0.1", target.port());
  client.send("ping", proxy.listens_on());
  // Replies to the first requests come back if they were read late.
  std::optional<std::string> reply = "into the void";
  for (int i = 0; i < 4 && reply == "into the void"; ++i) reply = client.receive();
  EXPECT_EQ(reply, "ping");
  expect_conserved(proxy.stop());
}

TEST(Proxy, refusals_are_counted_and_do_not_end_it) {
  Proxy proxy;
  ASSERT_TRUE(proxy.start(options_to(deserted())));
  Peer client;
  for (int i = 0; i < 20; ++i) client.send("into the void", proxy.listens_on());
  const auto summary = proxy.stop();
  expect_conserved(summary);
  EXPECT_EQ(summary.requests.forwarded, 20U);
  EXPECT_GE(summary.requests.refused, 1U);
}

TEST(Proxy, the_client_that_was_idle_the_longest_makes_room) {
  const Echo echo;
  Proxy proxy;
  auto options = options_to(echo.address());
  options.max_flows = 2;
  ASSERT_TRUE(proxy.start(options));
  Peer clients[3];
  for (const int turn : {0, 1, 0, 2, 0, 1}) {
    EXPECT_TRUE(comes_back(clients[turn], fmt::format("of {}", turn), proxy.listens_on())) << turn;
  }
  const auto summary = proxy.stop();
  expect_conserved(summary);
  // 2 replaced 1, then 1 replaced 2; 0 stayed.
  EXPECT_EQ(summary.flows_opened, 4U);
  EXPECT_EQ(summary.flows_evicted, 2U);
}

TEST(Proxy, without_sockets_left_the_oldest_client_makes_room) {
  const Echo echo;
  Proxy proxy;
  ASSERT_TRUE(proxy.start(options_to(echo.address())));
  std::list<Peer> clients(10);
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &before), 0);
  const rlimit few{static_cast<rlim_t>(clients.back().descriptor()) + 4, before.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &few), 0);
  for (Peer& client : clients) EXPECT_TRUE(comes_back(client, "ping", proxy.listens_on()));
  const auto summary = proxy.stop();
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &before), 0);
  EXPECT_EQ(summary.flows_opened, 10U);
  EXPECT_GE(summary.flows_evicted, 1U);
  EXPECT_EQ(summary.replies.forwarded, 10U);
}

TEST(Proxy, cannot_listen_where_somebody_does) {
  Peer somebody, server;
  Proxy proxy;
  auto options = options_to(server.address());
  options.listen = endpoint_of(somebody.address());
  const auto started = proxy.start(options);
  ASSERT_FALSE(started);
  EXPECT_THAT(started.error().message,
              HasSubstr("cannot listen on " + to_string(somebody.address()) + ": "));
}

TEST(Proxy, does_not_forward_to_itself) {
  std::optional<Peer> place{std::in_place};
  const std::uint16_t port = place->address().port();
  place.reset();
  for (const auto& [listen, target] :
       {std::pair{"127.0.0.1", "127.0.0.1"}, {"0.0.0.0", "127.0.0.1"}, {"127.0.0.1", "0.0.0.0"}}) {
    Proxy proxy;
    const auto started = proxy.start({.listen = {listen, port}, .target = {target, port}});
    ASSERT_FALSE(started) << listen << ' ' << target;
    EXPECT_THAT(started.error().message, HasSubstr("is where the proxy itself listens"));
  }
}

TEST(Proxy, a_target_needs_a_port) {
  Proxy proxy;
  const auto started = proxy.start({.listen = {"127.0.0.1", 0}, .target = {"127.0.0.1", 0}});
  ASSERT_FALSE(started);
  EXPECT_EQ(started.error().message,
            "target udp://127.0.0.1:0: a port to forward to is 1 to 65535");
}

}  // namespace
}  // namespace hallmark::proxy
