// What a released server of this dialect answered, exchange by exchange: Throttr 5.0.3
// (protocol 7.1.1, width u16), captured on the wire. `..` stands for bytes of that day: time
// points, ids and ports; `{id}` for the client's own id. CONNECTIONS may come in any order: the
// entries are in ours.
#include <gtest/gtest.h>

#include "reference/server/tests/session_harness.hpp"

namespace hallmark::server {
namespace {

using testing::SimulatedClient;
using testing::SimulatedServer;

struct Exchange {
  const char* operation;
  const char* note;
  const char* request;
  const char* response;
};

const Exchange exchanges[] = {
    {"LIST", "empty store", "07", "010000000000000000"},
    {"INSERT", "new key", "010200041e0003616263", "01"},
    {"INSERT", "key exists", "010200041e0003616263", "00"},
    {"QUERY", "existing", "0203616263", "010200041d00"},
    {"QUERY", "missing", "02037a7a7a", "00"},
    {"UPDATE", "quota increase", "030001020003616263", "01"},
    {"UPDATE", "quota decrease to 0", "030002040003616263", "01"},
    {"UPDATE", "quota decrease below 0", "030002010003616263", "00"},
    {"UPDATE", "quota patch", "030000090003616263", "01"},
    {"UPDATE", "missing key", "0300000100037a7a7a", "00"},
    {"UPDATE", "ttl patch", "030100320003616263", "01"},
    {"UPDATE", "ttl increase", "030101050003616263", "01"},
    {"UPDATE", "ttl decrease", "030102030003616263", "01"},
    {"QUERY", "after updates", "0203616263", "010900043300"},
    {"SET", "new key", "05041e0003040062756645484c4f", "01"},
    {"GET", "existing", "0603627566", "01041d00040045484c4f"},
    {"GET", "missing", "06046e6f7065", "00"},
    {"LIST", "one counter, one buffer", "07",
     "01010000000000000001000000000000000200000000000000030004................02000301"
     "04................0400616263627566"},
    {"STATS", "one counter, one buffer", "10",
     "01010000000000000001000000000000000200000000000000030000000000000000000000000000"
     "00000000000000000000000000000000000003000000000000000000000000000000000000000000"
     "0000000000000000000000616263627566"},
    {"STAT", "existing", "0903616263",
     "010000000000000000000000000000000000000000000000000000000000000000"},
    {"INFO", "", "08",
     "01................15000000000000000000000000000000020000000000000000000000000000"
     "00030000000000000000000000000000000800000000000000000000000000000000000000000000"
     "00000000000000000002000000000000000000000000000000010000000000000000000000000000"
     "00020000000000000000000000000000000100000000000000000000000000000001000000000000"
     "00000000000000000001000000000000000000000000000000000000000000000000000000000000"
     "00000000000000000000000000000000000000000000000000000000000000000000000000000000"
     "00000000000000000000000000000000000000000000000000000000000000000000000000000000"
     "0000000000000000000000000000000000000000000000000000000000000000008d000000000000"
     "000000000000000000e7000000000000000000000000000000020000000000000001000000000000"
     "00010000000000000002000000000000000400000000000000000000000000000000000000000000"
     "00................0100000000000000352e302e330000000000000000000000"},
    {"WHOAMI", "", "18", "01................................"},
    {"SUBSCRIBE", "new", "11026368", "01"},
    {"CHANNEL", "one subscriber", "17026368",
     "010100000000000000................................................00000000000000"
     "000000000000000000"},
    {"CHANNEL", "missing", "17027a7a", "00"},
    {"CHANNELS", "", "16",
     "01010000000000000001000000000000000100000000000000020000000000000000000000000000"
     "000001000000000000006368"},
    {"PUBLISH", "to one subscriber, from another connection", "13020400636845484c4f", ""},
    {"(delivery)", "what the subscriber of the PUBLISH above receives", "", "03040045484c4f"},
    {"CONNECTION", "own id", "15{id}",
     "01................................043132372e302e302e3100000000000000............"
     "........ac0000000000000017030000000000000000000000000000040000000000000000000000"
     "00000000000000000000000002000000000000000100000000000000030000000000000002000000"
     "00000000080000000000000000000000000000000200000000000000010000000000000001000000"
     "00000000010000000000000000000000000000000100000000000000000000000000000000000000"
     "000000000100000000000000010000000000000002000000000000000100000000000000"},
    {"CONNECTIONS", "two clients", "14",
     "01010000000000000001000000000000000200000000000000.............................."
     "..043132372e302e302e3100000000000000....................ad0000000000000003040000"
     "00000000000000000000000004000000000000000000000000000000000000000000000002000000"
     "00000000010000000000000003000000000000000200000000000000080000000000000000000000"
     "00000000020000000000000001000000000000000100000000000000010000000000000000000000"
     "00000000010000000000000000000000000000000100000000000000010000000000000001000000"
     "0000000002000000000000000100000000000000................................04313237"
     "2e302e302e3100000000000000....................0a00000000000000000000000000000004"
     "00000000000000000000000000000000000000000000000000000000000000000000000000000000"
     "00000000000000000000000000000000000000000000000000000000000000000000000000000000"
     "00000000000000000000000000000000000000000000000000000000000000010000000000000000"
     "00000000000000000000000000000000000000000000000000000000000000000000000000000000"
     "000000000000000000000000000000"},
    {"UNSUBSCRIBE", "subscribed", "12026368", "01"},
    {"UNSUBSCRIBE", "not subscribed", "12026368", "00"},
    {"PURGE", "existing", "0403616263", "01"},
    {"PURGE", "missing", "0403616263", "00"},
};

std::string with_id(std::string request, const SimulatedClient& client) {
  const std::size_t at = request.find("{id}");
  if (at != std::string::npos) request.replace(at, 4, protocol::to_hex(client.connection->id));
  return request;
}

TEST(CapturedExchanges, OfServer503AreAnsweredAlike) {
  SimulatedServer server;
  SimulatedClient& client = server.connect();
  SimulatedClient* publisher = nullptr;
  for (const Exchange& exchange : exchanges) {
    SCOPED_TRACE(std::string(exchange.operation) + ", " + exchange.note);
    server.advance(SimulatedServer::second / 100);
    std::string response;
    if (std::string_view(exchange.operation) == "(delivery)") {
      response = SimulatedServer::take(client);
    } else if (std::string_view(exchange.operation) == "PUBLISH") {
      publisher = &server.connect();
      response = server.exchange(*publisher, exchange.request);
    } else {
      response = server.exchange(client, with_id(exchange.request, client));
    }
    EXPECT_TRUE(testing::matches(response, exchange.response))
        << "sent     " << response << "\nexpected " << exchange.response;
  }
}

}  // namespace
}  // namespace hallmark::server
