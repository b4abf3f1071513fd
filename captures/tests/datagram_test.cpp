#include "captures/datagram.hpp"

#include <gmock/gmock.h>

#include "captures/tests/told.hpp"

namespace hallmark::captures {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

Recognised request(std::string_view text) { return as_request(limiter(), base::as_bytes(text)); }
Recognised reply(std::string_view text) { return as_reply(limiter(), base::as_bytes(text)); }

TEST(Datagram, RequestsAreKnownByTheirCommand) {
  for (const std::string_view text : {"ping", "17 ping", "over_limit ws ip=10.0.0.1",
                                      "0 get_stats ", "get_size", "over_limit 17 ping"}) {
    const Recognised found = request(text);
    EXPECT_TRUE(found.is_message()) << text << ": " << found.why;
    EXPECT_EQ(sender_of(limiter(), base::as_bytes(text)), Side::client);
  }
}

TEST(Datagram, RepliesAreKnownByTheirFirstWord) {
  for (const std::string_view text : {"pong", "17 pong", "ok N 1.4 22.0 20", "size=0 keys=0",
                                      "78229 n_req=2 n_over=1 last_max_rate=1 key=some-key"}) {
    const Recognised found = reply(text);
    EXPECT_TRUE(found.is_message()) << text << ": " << found.why;
    EXPECT_EQ(sender_of(limiter(), base::as_bytes(text)), Side::server);
  }
}

TEST(Datagram, BrokenRepliesAreTheServersToo) {
  for (const std::string_view text : {"ok", "ok N", "7 n_req=1 over=2", "size=", "pong!"})
    EXPECT_EQ(likely_sender_of(limiter(), base::as_bytes(text)), Side::server) << text;
  for (const std::string_view text : {"", "5", "PING", "over_limit", "error"})
    EXPECT_EQ(likely_sender_of(limiter(), base::as_bytes(text)), Side::client) << text;
}

struct Row {
  std::string text;
  std::string why;
};

void PrintTo(const Row& row, std::ostream* out) { *out << '"' << row.text << '"'; }

class NoRequest : public testing::TestWithParam<Row> {};

TEST_P(NoRequest, SaysWhatIsWrong) {
  EXPECT_THAT(request(GetParam().text).why, HasSubstr(GetParam().why));
}

const Row no_requests[] = {
    {"", "the datagram is empty; expected over_limit, get_stats, get_size or ping"},
    {"5", "the request id has no command behind it"},
    {"5 ", "the request id has no command behind it"},
    {"-1 ping", "\"-1\" is not a request id; expected digits and one blank"},
    {"PING", "\"PING\" is not a command: letters are told apart by case; expected \"ping\""},
    {" ping", "a blank stands before ping; expected it at the beginning"},
    {"123  ping", "a blank stands before ping; expected it behind one blank after the request id"},
    {"ping ", "1 byte is left over behind ping, at byte 4"},
    {"7 get_size x", "2 bytes are left over behind get_size, at byte 10"},
    {"over_limit", "over_limit has no key; expected a blank and a key behind it"},
    {"over_limit a\nb", "key at byte 12: holds a newline"},
    {"27823 no_such_command", "\"no_such_command\" is not a command; expected over_limit, "},
    {"over_limits x", "\"over_limits\" is not a command"},
    {"17 pong", "(it is a reply to ping)"}};

INSTANTIATE_TEST_SUITE_P(Rows, NoRequest, testing::ValuesIn(no_requests));

class NoReply : public testing::TestWithParam<Row> {};

TEST_P(NoReply, SaysWhatIsWrong) {
  EXPECT_THAT(reply(GetParam().text).why, HasSubstr(GetParam().why));
}

const Row no_replies[] = {
    {"", "the datagram is empty; expected a reply"},
    {"error", "\"error\" begins no reply; expected \"ok \", \"n_req=\", \"size=\" or \"pong\""},
    {"17 ping", "(it is a request, ping)"},
    {"ok N 1 22.0 20", "rate at byte 5"},
    {"ok N 1.4 22.0", "space before period at byte 13"},
    {"ok X 1.4 22.0 20", "over at byte 3 is \"X\"; expected Y or N"},
    {"ok N 1.4 22.0 20\n", "1 byte is left over behind over_limit, at byte 16"},
    {"n_req=2 over=1 last_max_rate=1 key=k",
     "(would be a reply to get_stats with --reading stats-field=over)"}};

INSTANTIATE_TEST_SUITE_P(Rows, NoReply, testing::ValuesIn(no_replies));

std::vector<std::string> contradictions(std::string_view text) {
  const Recognised found = reply(text);
  protocol::Decoder decoder = Format::decoder(limiter().reply(*found.operation));
  decoder.resume(base::as_bytes(text));
  return contradictions_in({decoder, base::as_bytes(text)});
}

TEST(Datagram, FieldsMayContradictEachOther) {
  EXPECT_THAT(contradictions("ok Y 1.4 22.0 20"),
              ElementsAre("over is Y though the rate 1.4 is below the limit 22.0"));
  EXPECT_THAT(contradictions("ok N 28.1 22.0 20"),
              ElementsAre("over is N though the rate 28.1 is above the limit 22.0"));
  EXPECT_THAT(contradictions("ok N 0.0 22.0 0"),
              ElementsAre("the period is 0 seconds; expected at least 1"));
  EXPECT_THAT(contradictions("n_req=1 n_over=2 last_max_rate=0 key=k"),
              ElementsAre("n_over is 2, more than the 1 uses of n_req"));
}

TEST(Datagram, RoundingIsNoContradiction) {
  for (const std::string_view text : {"ok Y 22.0 22.0 20", "ok N 22.0 22.0 20", "ok Y 21.9 22.0 20",
                                      "ok N 22.1 22.0 20", "ok N 0.0 1.0 1"})
    EXPECT_THAT(contradictions(text), IsEmpty()) << text;
}

/// Every length of every message, on a buffer of exactly that size.
TEST(Datagram, NoCutIsReadBeyondItsEnd) {
  for (const std::string_view whole :
       {"78229 over_limit ws ip=74.11.99.155", "1332 ok Y 28.1 22.0 20",
        "78229 n_req=2 n_over=1 last_max_rate=1 key=some-key", "9 size=0 keys=0"}) {
    for (std::size_t size = 0; size < whole.size(); ++size) {
      const Bytes cut = base::to_bytes(whole.substr(0, size));
      sender_of(limiter(), Bytes(cut));
    }
  }
}

}  // namespace
}  // namespace hallmark::captures
