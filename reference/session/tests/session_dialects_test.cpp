#include <gtest/gtest.h>

#include "reference/server/tests/session_harness.hpp"

// The dialects besides 7.1 deployed, and the answers that the session gives by itself; what the
// store and the channels answer is tested with the model.
namespace hallmark::server {
namespace {

using protocol::Dialect;
using protocol::Profile;
using protocol::Readings;
using protocol::throttr_2_0;
using protocol::throttr_6_0;
using protocol::throttr_7_1;
using protocol::throttr_7_3;
using protocol::Width;
using testing::SimulatedClient;
using testing::SimulatedOptions;
using testing::SimulatedServer;

struct DialectExchange {
  const char* name;
  const Dialect* dialect;
  Profile profile;
  std::vector<std::pair<std::string_view, std::string_view>> pins;
  Width width;
  std::vector<std::pair<std::string, std::string>> exchanges;
  SessionState state = SessionState::reading;
};

Readings readings_of(const DialectExchange& script) {
  Readings readings(*script.dialect, script.profile);
  for (const auto& [reading, answer] : script.pins) EXPECT_TRUE(readings.set(reading, answer));
  return readings;
}

class DialectScript : public ::testing::TestWithParam<DialectExchange> {};

TEST_P(DialectScript, IsAnswered) {
  SimulatedServer server(
      SimulatedOptions{.width = GetParam().width, .readings = readings_of(GetParam())});
  SimulatedClient& client = server.connect();
  for (auto [request, reply] : GetParam().exchanges) {
    std::erase(reply, ' ');
    const std::string sent = server.exchange(client, request);
    EXPECT_TRUE(testing::matches(sent, reply)) << request << " was answered with " << sent;
  }
  EXPECT_EQ(client.state, GetParam().state);
}

constexpr auto deployed = Profile::deployed;
constexpr auto literal = Profile::literal;
constexpr auto finished = SessionState::finished;

const std::string no_fragments = "0000000000000000";
const std::string a_fragment = "0100000000000000 0100000000000000 0100000000000000";
const std::string any_id = std::string(32, '.');
const std::string loopback = "04 3132372e302e302e31 00000000000000 e8c0";
const std::string numbers = std::string(16 * 25, '.');

const DialectExchange dialect_exchanges[] = {
    {"v2_insert_query_update_purge",
     &throttr_2_0,
     deployed,
     {},
     Width::u64,
     {{"01 44332211 0700000000000000 02 3c00000000000000 03 02 616263 2f72", "44332211 01"},
      {"02 03000000 03 02 616263 2f72", "03000000 01 0700000000000000 02 3c00000000000000"},
      {"01 10000000 0500000000000000 02 5a00000000000000 03 02 616263 2f72", "10000000 00"},
      {"03 05000000 00 01 0200000000000000 03 02 616263 2f72", "05000000 01"},
      {"02 06000000 03 02 616263 2f72", "06000000 01 0900000000000000 02 3c00000000000000"},
      {"03 05000000 02 01 0200000000000000 03 02 616263 2f72", "05000000 01"},
      {"02 06000000 03 02 616263 2f72", "06000000 01 0900000000000000 02 3c00000000000000"},
      {"04 ffffffff 03 02 616263 2f72", "ffffffff 01"},
      {"04 00000000 03 02 616263 2f72", "00000000 00"},
      {"02 04000000 02 02 7a7a 2f72", "04000000 00"}}},
    {"v2_insert_resets_as_the_text_says",
     &throttr_2_0,
     literal,
     {},
     Width::u64,
     {{"01 01000000 0700000000000000 02 3c00000000000000 01 00 61", "01000000 01"},
      {"01 02000000 0500000000000000 01 5a00000000000000 01 00 61", "02000000 01"},
      {"02 03000000 01 00 61", "03000000 01 0500000000000000 01 5a00000000000000"}}},
    {"v2_pairs_are_pairs",
     &throttr_2_0,
     deployed,
     {},
     Width::u64,
     {{"01 01000000 0700000000000000 02 3c00000000000000 02 01 6162 63", "01000000 01"},
      {"02 02000000 01 02 61 6263", "02000000 00"}}},
    {"v2_pairs_are_concatenations",
     &throttr_2_0,
     deployed,
     {{"pair-identity", "concatenation"}},
     Width::u64,
     {{"01 01000000 0700000000000000 02 3c00000000000000 02 01 6162 63", "01000000 01"},
      {"02 02000000 01 02 61 6263", "02000000 01 0700000000000000 02 3c00000000000000"}}},
    {"v2_unknown_ttl_type",
     &throttr_2_0,
     deployed,
     {},
     Width::u64,
     {{"01 01000000 0700000000000000 03 3c00000000000000 01 00 61", "01000000 01"},
      {"02 02000000 01 00 61", "02000000 01 0700000000000000 02 3c00000000000000"}}},
    {"v2_empty_names_refused",
     &throttr_2_0,
     deployed,
     {{"empty-names", "refused"}},
     Width::u64,
     {{"01 01000000 0700000000000000 02 3c00000000000000 01 00 61", "01000000 00"}}},
    {"v2_replies_in_any_order",
     &throttr_2_0,
     deployed,
     {{"reply-order", "any-order"}},
     Width::u64,
     {{"02 01000000 01 00 61 02 02000000 01 00 61 02 03000000 01 00 61",
       "03000000 00 02000000 00 01000000 00"}}},
    {"v6_deployed_list",
     &throttr_6_0,
     deployed,
     {},
     Width::u8,
     {{"01 02 04 03 01 61", "01"},
      {"07", "01" + a_fragment + "01 00 04 ................ 01 61"},
      {"05 04 03 01 01 62 78", "01"},
      {"05 04 03 01 01 62 79", "01"}}},
    {"v6_literal_list",
     &throttr_6_0,
     literal,
     {},
     Width::u16,
     {{"07", no_fragments},
      {"01 0200 04 0300 01 61", "01"},
      {"07", a_fragment + "01 00 04 ................ 61"},
      {"05 04 0300 01 01 62 78", "01"},
      {"05 04 0300 01 01 62 79", "00"},
      {"06 01 62", "01 04 0300 0100 78"}}},
    {"v6_has_no_info", &throttr_6_0, deployed, {}, Width::u8, {{"08", ""}}, finished},
    {"v7_1_literal",
     &throttr_7_1,
     literal,
     {},
     Width::u16,
     {{"18", any_id},
      {"11 01 63", "01"},
      {"13 01 0100 63 78", "01"},
      {"13 01 0100 64 78", "00"},
      {"16", a_fragment + "01 0100000000000000 0000000000000000 01000000 63"},
      {"15 00000000", "01" + any_id + loopback + numbers},
      {"15 01000000", "00"},
      {"14", a_fragment + any_id + loopback + numbers}}},
    {"v7_1_index_from_one",
     &throttr_7_1,
     literal,
     {{"connection-index", "from-1"}, {"whoami", "index"}},
     Width::u16,
     {{"18", "01000000"},
      {"15 00000000", "00"},
      {"15 01000000", "01" + any_id + loopback + numbers}}},
    {"v7_1_raw_ip",
     &throttr_7_1,
     deployed,
     {{"ip-field", "raw"}},
     Width::u16,
     {{"14", "01" + a_fragment + any_id + "04 7f000001 000000000000000000000000 e8c0" + numbers}}},
    {"v7_1_fragments_from_zero",
     &throttr_7_1,
     deployed,
     {{"fragments", "from-0"}},
     Width::u8,
     {{"01 02 04 03 01 61", "01"},
      {"07",
       "01 0100000000000000 0000000000000000 0100000000000000 01 00 04 ................ 01 61"}}},
    {"v7_3",
     &throttr_7_3,
     deployed,
     {},
     Width::u16,
     {{"07", "01" + no_fragments},
      {"18", "01" + any_id},
      {"17 01 2a",
       "01 0100000000000000" + any_id + "................ 0000000000000000 0000000000000000"},
      {"13 01 0100 64 78", "00"},
      {"11 01 63", "01"},
      {"13 01 0100 63 78", "01 19 01 0100 63 78"},
      {"15 00000000000000000000000000000000", "00"},
      {"14", "01" + a_fragment + any_id + "00 00" + loopback + numbers}}},
    {"unknown_opcode_closes",
     &throttr_7_3,
     deployed,
     {},
     Width::u8,
     {{"19 02 01 61", ""}},
     finished},
    {"unknown_opcode_is_passed_over",
     &throttr_7_3,
     deployed,
     {{"opcode-unknown", "ignored"}},
     Width::u8,
     {{"ff 02 01 61", "00"}}},
    {"unknown_opcode_is_refused",
     &throttr_7_3,
     deployed,
     {{"opcode-unknown", "refused"}},
     Width::u8,
     {{"ff 02 01 61", "00 00"}}},
    {"unknown_ttl_type_closes",
     &throttr_7_3,
     deployed,
     {{"ttl-type-unknown", "closed"}},
     Width::u8,
     {{"01 02 07 03 01 61", ""}},
     finished},
    {"unknown_ttl_type_is_accepted",
     &throttr_7_3,
     deployed,
     {{"ttl-type-unknown", "accepted"}},
     Width::u8,
     {{"01 02 07 03 01 61", "01"}, {"05 00 03 01 01 62 78", "01"}, {"02 01 61", "01 02 04 03"}}},
    {"unknown_attribute_closes",
     &throttr_7_3,
     deployed,
     {{"attribute-unknown", "closed"}},
     Width::u8,
     {{"03 02 00 01 01 61", ""}},
     finished},
    {"unknown_change_is_accepted_and_changes_nothing",
     &throttr_7_3,
     deployed,
     {{"change-unknown", "accepted"}},
     Width::u8,
     {{"01 02 04 03 01 61", "01"},
      {"03 00 03 01 01 61", "01"},
      {"02 01 61", "01 02 04 03"},
      {"03 00 03 01 01 7a", "00"}}},
};

INSTANTIATE_TEST_SUITE_P(Table, DialectScript, ::testing::ValuesIn(dialect_exchanges),
                         [](const auto& row) { return std::string(row.param.name); });

TEST(Session, EventsOf73NameTheirChannel) {
  SimulatedServer server(SimulatedOptions{.readings = Readings(throttr_7_3, deployed)});
  SimulatedClient& subscriber = server.connect();
  SimulatedClient& publisher = server.connect();
  server.exchange(subscriber, "11026368");
  EXPECT_EQ(server.exchange(publisher, "13020400636845484c4f"), "01");
  EXPECT_EQ(SimulatedServer::take(subscriber), "19020400636845484c4f");
}

TEST(Session, APublisherReceivesItsOwnBehindTheReply) {
  SimulatedServer server(SimulatedOptions{.readings = Readings(throttr_7_3, deployed)});
  SimulatedClient& client = server.connect();
  server.exchange(client, "11026368");
  EXPECT_EQ(server.exchange(client, "13020400636845484c4f"), "0119020400636845484c4f");
}

TEST(Session, IsNotMadeForAWidthThatTheDialectLacks) {
  const Readings readings(throttr_2_0, deployed);
  model::Model model(model::ModelOptions{});
  const SessionContext context{model, readings};
  EXPECT_EQ(make_session(Width::u16, context, *model.open({})), nullptr);
}

}  // namespace
}  // namespace hallmark::server
