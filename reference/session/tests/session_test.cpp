#include "reference/session/session.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/hex.hpp"
#include "reference/server/tests/session_harness.hpp"

namespace hallmark::server {
namespace {

using protocol::Width;
using testing::SimulatedClient;
using testing::SimulatedOptions;
using testing::SimulatedServer;

/// Requests and replies of one client, one after the other, written by hand from the document.
struct Script {
  const char* name;
  Width width;
  std::vector<std::pair<std::string, std::string>> exchanges;
};

class SessionScript : public ::testing::TestWithParam<Script> {};

TEST_P(SessionScript, IsAnswered) {
  SimulatedServer server(SimulatedOptions{.width = GetParam().width});
  SimulatedClient& client = server.connect();
  for (auto [request, reply] : GetParam().exchanges) {
    std::erase(reply, ' ');
    const std::string sent = server.exchange(client, request);
    EXPECT_TRUE(testing::matches(sent, reply)) << request << " was answered with " << sent;
  }
  EXPECT_EQ(client.state, SessionState::reading);
}

const Script scripts[] = {
    {"insert_and_query_u8", Width::u8, {{"01 ff 04 ff 01 61", "01"}, {"02 01 61", "01ff04ff"}}},
    {"insert_and_query_u16",
     Width::u16,
     {{"01 0200 04 0300 05 0707070707", "01"}, {"02 05 0707070707", "010200040300"}}},
    {"insert_and_query_u32",
     Width::u32,
     {{"01 ffffffff 06 01000000 01 61", "01"}, {"02 01 61", "01ffffffff0601000000"}}},
    {"insert_and_query_u64",
     Width::u64,
     {{"01 ffffffffffffffff 06 ffffffffffffffff 01 61", "01"},
      {"02 01 61", "01ffffffffffffffff06ffffffffffffffff"}}},
    {"empty_key", Width::u8, {{"01 07 04 09 00", "01"}, {"02 00", "01070409"}, {"04 00", "01"}}},
    {"update",
     Width::u8,
     {{"01 02 04 03 01 61", "01"},
      {"03 00 01 02 01 61", "01"},
      {"03 00 02 05 01 61", "00"},
      {"03 00 00 ff 01 61", "01"},
      {"03 01 00 09 01 61", "01"},
      {"02 01 61", "01ff0409"},
      {"03 00 01 01 01 61", "01"},
      {"02 01 61", "01000409"},
      {"03 02 00 00 01 61", "00"},
      {"03 00 03 00 01 61", "01"},
      {"02 01 61", "01000409"}}},
    {"unknown_ttl_type",
     Width::u8,
     {{"01 02 00 03 01 61", "01"},
      {"02 01 61", "01020403"},
      {"05 07 03 01 00 62", "01"},
      {"06 01 62", "01040300"}}},
    {"set_get_u8",
     Width::u8,
     {{"05 04 09 01 04 62 45484c4f", "01"},
      {"06 01 62", "0104090445484c4f"},
      {"05 04 09 01 00 62", "01"},
      {"06 01 62", "01040900"},
      {"02 01 62", "00"}}},
    {"set_get_u64",
     Width::u64,
     {{"05 04 0900000000000000 01 0100000000000000 62 45", "01"},
      {"06 01 62", "01040900000000000000010000000000000045"}}},
    {"list",
     Width::u8,
     {{"07", "010000000000000000"},
      {"01 02 04 03 01 61", "01"},
      {"05 03 09 02 04 6263 45484c4f", "01"},
      {"07",
       "01 0100000000000000 0100000000000000 0200000000000000"
       "01 00 04 ................ 01  02 01 03 ................ 04  61 6263"}}},
    {"stat_and_stats",
     Width::u8,
     {{"09 01 61", "00"},
      {"10", "010000000000000000"},
      {"01 02 04 03 01 61", "01"},
      {"09 01 61", "010000000000000000000000000000000000000000000000000000000000000000"},
      {"10",
       "01 0100000000000000 0100000000000000 0100000000000000"
       "01 0000000000000000 0000000000000000 0000000000000000 0000000000000000 61"}}},
    {"subscribe_twice",
     Width::u8,
     {{"12 02 6368", "00"},
      {"11 02 6368", "01"},
      {"11 02 6368", "01"},
      {"12 02 6368", "01"},
      {"12 02 6368", "00"},
      {"16", "010000000000000000"}}},
    {"publish_is_not_answered",
     Width::u8,
     {{"13 01 01 61 78", ""}, {"11 01 61", "01"}, {"13 01 01 61 78", ""}}},
    {"connection_of_an_unknown_id", Width::u8, {{"15 00000000000000000000000000000000", "00"}}},
};

INSTANTIATE_TEST_SUITE_P(Table, SessionScript, ::testing::ValuesIn(scripts),
                         [](const auto& row) { return std::string(row.param.name); });

TEST(Session, ManyKeysAreListedInSeveralFragments) {
  SimulatedServer server;
  SimulatedClient& client = server.connect();
  for (int i = 0; i < 200; ++i) {
    const std::string key = fmt::format("key-{:03}", i);
    server.exchange(client, "010700041e0007" + base::to_hex(base::as_bytes(key)));
  }
  // Entries of 13 bytes and names of 7: 102 of them fit 2,048 bytes.
  const std::string list = server.exchange(client, "07");
  EXPECT_EQ(list.size(), 2U * (1 + 8 + 2 * 16 + 200 * 20));
  EXPECT_EQ(list.substr(0, 50),
            "01"
            "0200000000000000"
            "0100000000000000"
            "6600000000000000");
  EXPECT_EQ(list.substr(2 * (25 + 102 * 20), 32),
            "0200000000000000"
            "6200000000000000");
}

TEST(Session, DeliversToOthersOnly) {
  SimulatedServer server;
  SimulatedClient& publisher = server.connect();
  SimulatedClient& subscriber = server.connect();
  server.exchange(publisher, "11026368");
  server.exchange(subscriber, "11026368");
  EXPECT_EQ(server.exchange(publisher, "13020400636845484c4f"), "");
  EXPECT_EQ(SimulatedServer::take(subscriber), "03040045484c4f");
  EXPECT_EQ(subscriber.connection->received_bytes, 4U);
  EXPECT_EQ(publisher.connection->published_bytes, 4U);
}

TEST(Session, TheTtlLeftIsRoundedDown) {
  SimulatedServer server;
  SimulatedClient& client = server.connect();
  server.exchange(client, "010200041e000161");
  server.advance(1);
  EXPECT_EQ(server.exchange(client, "020161"), "010200041d00");
  server.advance(30 * SimulatedServer::second - 2);
  EXPECT_EQ(server.exchange(client, "020161"), "010200040000");
  server.advance(1);
  EXPECT_EQ(server.exchange(client, "020161"), "00");
}

TEST(Session, WhoamiAndConnectionAgree) {
  SimulatedServer server;
  SimulatedClient& client = server.connect();
  const std::string whoami = server.exchange(client, "18");
  ASSERT_EQ(whoami.size(), 34U);
  EXPECT_EQ(whoami, "01" + base::to_hex(client.connection->id));
  const std::string connection = server.exchange(client, "15" + whoami.substr(2));
  EXPECT_EQ(connection.size(), 2U * 236);
  EXPECT_EQ(connection.substr(0, 34), whoami);
}

// The model's enumerators carry the values of the wire; the table is where those are spelled.
TEST(Session, CodesOfTheModelAreThoseOfTheTable) {
  const auto code = [](protocol::MessageName operation, protocol::FieldName field,
                       const char* choice) {
    for (const auto& each :
         protocol::find_operation(protocol::throttr_7_1, operation)->request.fields) {
      if (each.name != field) continue;
      for (const auto& listed : each.get<protocol::kinds::ChoiceOf>().choices) {
        if (listed.name == choice) return static_cast<int>(listed.code);
      }
    }
    return -1;
  };
  const char* const units[] = {"nanoseconds", "microseconds", "milliseconds",
                               "seconds",     "minutes",      "hours"};
  for (int i = 0; i < 6; ++i) {
    EXPECT_EQ(code("INSERT", "ttl_type", units[i]),
              static_cast<int>(model::TtlUnit::nanoseconds) + i);
  }
  EXPECT_EQ(code("UPDATE", "attribute", "quota"), static_cast<int>(model::Attribute::quota));
  EXPECT_EQ(code("UPDATE", "attribute", "ttl"), static_cast<int>(model::Attribute::ttl));
  EXPECT_EQ(code("UPDATE", "change", "patch"), static_cast<int>(model::Change::patch));
  EXPECT_EQ(code("UPDATE", "change", "increase"), static_cast<int>(model::Change::increase));
  EXPECT_EQ(code("UPDATE", "change", "decrease"), static_cast<int>(model::Change::decrease));
}

}  // namespace
}  // namespace hallmark::server
