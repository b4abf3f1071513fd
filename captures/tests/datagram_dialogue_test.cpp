#include "captures/datagram_dialogue.hpp"

#include <gmock/gmock.h>

#include "captures/tests/told.hpp"

namespace hallmark::captures {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

/// Lines with > or < in front.
std::vector<std::string> told(const std::vector<std::string>& lines,
                              const Format& format = limiter()) {
  Told told;
  DatagramDialogue dialogue(format, 0, true, told.sink());
  for (const std::string& line : lines) {
    const Side from = line.front() == '>' ? Side::client : Side::server;
    dialogue.feed(from, base::as_bytes(std::string_view(line).substr(2)));
  }
  dialogue.end("the input ends");
  return told.lines();
}

TEST(DatagramDialogue, RepliesFollowTheirRequests) {
  EXPECT_THAT(
      told({"> 1 ping", "> 2 get_size", "< 2 size=0 keys=0", "< 1 pong"}),
      ElementsAre("#1 ping request", "#1 ping reply", "#2 get_size request", "#2 get_size reply"));
}

TEST(DatagramDialogue, WithoutIdsByOrderAndByWhatFits) {
  EXPECT_THAT(
      told({"> ping", "> get_size", "< size=0 keys=0", "< pong"}),
      ElementsAre("#1 ping request", "#1 ping reply", "#2 get_size request", "#2 get_size reply"));
}

TEST(DatagramDialogue, ARequestWithoutReply) {
  EXPECT_THAT(told({"> 1 ping"}), ElementsAre("#1 ping request",
                                              "! unanswered client 0+6 #1: no reply came before "
                                              "the input ends"));
}

TEST(DatagramDialogue, ARequestThatIsNoneAwaitsNothing) {
  EXPECT_THAT(told({"> 1 PING", "< 1 pong"}),
              ElementsAre(HasSubstr("! malformed client 0+6: \"PING\" is not a command"),
                          "! unasked server 0+6: no request waits for a reply"));
}

TEST(DatagramDialogue, RepliesThatNobodyAwaits) {
  EXPECT_THAT(told({"> 1 ping", "< 1 pong", "< 1 pong"}),
              ElementsAre("#1 ping request", "#1 ping reply",
                          "! unasked server 6+6 #1: request #1 with the id 1 has its reply"));
  EXPECT_THAT(told({"> 1 ping", "< pong"})[1],
              HasSubstr("mismatched server 0+4 #1: it has no request id, and request #1 has the "
                        "request id 1"));
  EXPECT_THAT(told({"> ping", "< 7 pong"}),
              testing::Contains(HasSubstr("it has the request id 7, and request #1 has no request "
                                          "id")));
}

TEST(DatagramDialogue, ARightIdAndAWrongMessage) {
  EXPECT_THAT(told({"> 1 ping", "< 1 ok N 0.0 1.0 1"}),
              ElementsAre("#1 ping request", HasSubstr("! malformed server 0+16 #1: ")));
}

TEST(DatagramDialogue, TheKeyIsThatOfTheRequest) {
  EXPECT_THAT(
      told({"> 1 get_stats a", "< 1 n_req=0 n_over=0 last_max_rate=0 key=b"}),
      ElementsAre("#1 get_stats request", "#1 get_stats reply",
                  "! mismatched server 0+40 #1: the reply is about the key \"b\", the request "
                  "about \"a\""));
}

TEST(DatagramDialogue, Contradictions) {
  EXPECT_THAT(told({"> over_limit k", "< ok Y 1.4 22.0 20"})[2],
              HasSubstr("! contradictory server 0+16 #1: over is Y"));
}

TEST(DatagramDialogue, ReadingsSayWhatIsAnswered) {
  const std::string longest = "> over_limit " + std::string(1000, 'k');
  EXPECT_THAT(told({longest}), ElementsAre("#1 over_limit request, no reply"));
  protocol::Readings readings = limiter().readings();
  ASSERT_TRUE(readings.set("long-request", "read"));
  ASSERT_TRUE(readings.set("udp-id", "number"));
  const Format other(protocol::Width::none, readings);
  EXPECT_THAT(told({longest, "< ok N 0.0 1.0 1"}, other),
              ElementsAre("#1 over_limit request", "#1 over_limit reply"));
  EXPECT_THAT(told({"> 007 ping", "< 7 pong"}, other),
              ElementsAre("#1 ping request", "#1 ping reply"));
}

TEST(DatagramDialogue, ACaptureMayCutADatagram) {
  Told told;
  DatagramDialogue dialogue(limiter(), 3, true, told.sink());
  dialogue.feed_cut(Side::client, 20, 60, Time(5));
  dialogue.end("the capture ends");
  EXPECT_THAT(told.lines(),
              ElementsAre("c3 ! missing client 0+60: the capture holds 20 of the 60 bytes of the "
                          "datagram"));
}

}  // namespace
}  // namespace hallmark::captures
