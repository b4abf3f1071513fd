#include "captures/datagram_sequence.hpp"

#include <gmock/gmock.h>

#include "captures/tests/told.hpp"

namespace hallmark::captures {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

std::vector<std::string> decoded(const std::vector<std::string>& words,
                                 const ExpectedDatagrams& expected = {},
                                 std::optional<InputFormat> format = {}) {
  const auto loaded = load(words, format, Messages::text);
  if (!loaded) return {loaded.error().message};
  Told told;
  decode_datagrams(limiter(), expected, datagrams_in(*loaded), told.sink());
  return told.lines();
}

TEST(Datagrams, AsHexAreOne) {
  EXPECT_THAT(decoded({"31 37 20", "70696e67"}), ElementsAre("#1 ping request"));
  EXPECT_THAT(decoded({"313720706f6e67"}), ElementsAre("#1 ping reply"));
}

TEST(Datagrams, AsTextAreALineEach) {
  EXPECT_THAT(decoded({"17", "ping"}), ElementsAre("#1 ping request"));
  EXPECT_THAT(decoded({"17 ping", "18 ping"}), ElementsAre("#1 ping request", "#2 ping request"));
  EXPECT_THAT(decoded({"ping"}), ElementsAre("#1 ping request"));
  EXPECT_THAT(decoded({"17 ping", "17 pong"}), ElementsAre("#1 ping request", "#1 ping reply"));
}

TEST(Datagrams, WithMarksArePaired) {
  for (const std::string mark : {"", "> ", ">> ", ">"}) {
    const auto lines = decoded({mark + "17 ping"});
    EXPECT_EQ(lines.size(), mark.empty() ? 1U : 2U) << mark;
  }
  EXPECT_THAT(decoded({">> 1173 over_limit ws global", "<< 1173 ok N 2034.3 2500.0 10"}),
              ElementsAre("#1 over_limit request", "#1 over_limit reply"));
  EXPECT_THAT(decoded({"> 3120 70696e67", "< 3120706f6e67"}),
              ElementsAre("#1 ping request", "#1 ping reply"));
}

TEST(Datagrams, AreWhatTheyAreSaidToBe) {
  EXPECT_THAT(decoded({"error"}, {.from = Side::server}),
              ElementsAre(StartsWith("! malformed server 0+5: \"error\" begins no reply")));
  const protocol::Operation* const ping = protocol::find_operation(protocol::ratelimit_udp, "ping");
  EXPECT_THAT(decoded({"size=0 keys=0"}, {.from = Side::server, .operations = {ping}}),
              ElementsAre(HasSubstr("malformed server")));
  EXPECT_THAT(decoded({"cGluZw=="}, {}, InputFormat::base64), ElementsAre("#1 ping request"));
}

}  // namespace
}  // namespace hallmark::captures
