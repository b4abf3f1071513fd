#include <gmock/gmock.h>

#include "base/hex.hpp"
#include "protocol/dialects.hpp"
#include "reference/faults/decorators.hpp"
#include "reference/server/tests/session_harness.hpp"

namespace hallmark::faults {
namespace {

using server::testing::SimulatedServer;

/// A request and its reply, in hex.
struct Exchange {
  std::string_view request;
  std::string_view reply;
};

struct Row {
  std::string_view name;
  std::vector<std::string> bugs;
  std::vector<Exchange> exchanges;
};
void PrintTo(const Row& row, std::ostream* out) { *out << row.name; }

class Combined : public ::testing::TestWithParam<Row> {};

TEST_P(Combined, EachShows) {
  const auto bugs = choose(GetParam().bugs);
  ASSERT_TRUE(bugs) << bugs.error().message;
  SimulatedServer server({.decorator = stream_decorator(*bugs)});
  auto& client = server.connect();
  for (const auto& [request, reply] : GetParam().exchanges)
    EXPECT_EQ(server.exchange(client, request), reply) << request;
}

constexpr std::string_view insert_a = "01 0a00 06 0100 01 61";  // quota 10 for an hour
constexpr std::string_view query_a = "02 01 61";

INSTANTIATE_TEST_SUITE_P(
    , Combined,
    ::testing::Values(Row{"records",
                          {"purge.keeps", "query.consumes"},
                          {{insert_a, "01"},
                           {query_a, "010900060100"},
                           {"04 01 61", "01"},
                           {query_a, "010800060100"}}},
                      Row{"three_of_one_operation",
                          {"query.consumes", "ttl.shown-rounded-up", "insert.quota-off-by-one"},
                          {{insert_a, "01"}, {query_a, "010a00060200"}}},
                      Row{"a_record_and_its_reply",
                          {"query.consumes", "reply.query-type-of-seconds"},
                          {{insert_a, "01"}, {query_a, "010900040100"}}},
                      Row{"values_and_bytes_of_a_reply",
                          {"reply.query-one-more", "reply.query-swapped"},
                          {{insert_a, "01"}, {query_a, "010100060a0000"}}},
                      Row{"requests_and_statuses",
                          {"keys.ignore-case", "status.inverted"},
                          {{insert_a, "00"}, {"02 01 41", "010a00060100"}}},
                      Row{"framing_and_records",
                          {"stream.batch-reversed", "query.consumes"},
                          {{insert_a, "01"}, {"02 01 61 04 01 62", "00010900060100"}}},
                      Row{"codes_and_keys",
                          {"codes.shifted", "request.get-key-cut"},
                          {{"06 04 1000 02 0100 6162 78", "01"}, {"07 02 6162", "00"}}}),
    [](const auto& row) { return std::string(row.param.name); });

TEST(CombinedRaces, EachShows) {
  SimulatedServer server(
      {.decorator = stream_decorator(*choose({"race.insert-twice", "race.purge-twice"}))});
  auto& one = server.connect();
  auto& other = server.connect();
  EXPECT_EQ(server.exchange(one, insert_a), "01");
  EXPECT_EQ(server.exchange(other, insert_a), "01");
  EXPECT_EQ(server.exchange(one, "04 01 61"), "01");
  EXPECT_EQ(server.exchange(other, "04 01 61"), "01");
  EXPECT_EQ(server.exchange(other, "04 01 61"), "01") << "one made it just now";
}

TEST(CombinedHooks, AreAllAskedAndTold) {
  const auto decorator = stream_decorator(
      *choose({"resources.input-left", "resources.output-left", "resources.oldest-evicted"}));
  const auto hooks = decorator->connection_hooks();
  protocol::ByteBuffer in;
  protocol::ByteBuffer out;
  in.append(base::from_hex("0102").value());
  out.append(base::from_hex("03").value());
  hooks->ended(server::Ending::orderly, in, out);
  protocol::ByteBuffer next_in;
  protocol::ByteBuffer next_out;
  hooks->begin(next_in, next_out);
  EXPECT_EQ(base::to_hex(next_in.view()), "0102");
  EXPECT_EQ(base::to_hex(next_out.view()), "03");
  EXPECT_TRUE(hooks->evicts_oldest(501));
  EXPECT_FALSE(hooks->evicts_oldest(500));
  EXPECT_FALSE(hooks->refuses());
}

TEST(CombinedDatagrams, EachShows) {
  const auto decorator =
      datagram_decorator(*choose({"id.always", "over.small-letters", "over.counts-twice"}));
  const protocol::Readings readings(protocol::ratelimit_udp, protocol::Profile::deployed);
  model::RateLimiter limiter(protocol::ratelimit::example_rules(),
                             model::rate_behaviour_of(readings), 100);
  decorator->around_limiter(limiter);
  server::DatagramSession session(limiter, readings);
  const auto handler = decorator->around_handler(session);
  const auto ask = [&](std::string_view request) {
    protocol::ByteBuffer out;
    handler->answer(base::as_bytes(request), 1'795'166'096'000'000'000, out);
    return std::string(base::as_text(out.view()));
  };
  EXPECT_EQ(ask("ping"), "0 pong");
  EXPECT_EQ(ask("over_limit ws ip=10.0.0.1"), "0 ok n 0.0 22.0 20");
  EXPECT_THAT(ask("7 over_limit ws ip=10.0.0.1"), ::testing::StartsWith("7 ok n 2.0 "));
}

TEST(CombinedStates, EachShows) {
  const protocol::Readings readings(protocol::ratelimit_state, protocol::Profile::deployed);
  const auto session = adapter_session(
      *choose({"header.of-old", "gcra.one-more", "reset.in-seconds"}), "1", readings);
  std::string out;
  session->receive(R"({"id":1,"op":"decide","now":"1000000000000000000","state":null,)"
                   R"("configuration":{"strategy":"gcra","burst":"1","rate":"1"}})"
                   "\n",
                   out);
  EXPECT_THAT(out, ::testing::HasSubstr(R"("remaining":"1")"));
  EXPECT_THAT(out, ::testing::HasSubstr(R"("reset":"1000000001")"));
  EXPECT_THAT(out, ::testing::HasSubstr(R"("state":"v2|1000000001000000000")"));
}

}  // namespace
}  // namespace hallmark::faults
