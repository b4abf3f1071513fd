#include "captures/conversation.hpp"

#include <gmock/gmock.h>

#include "captures/tests/messages_7_1.hpp"
#include "captures/tests/told.hpp"
#include "protocol/dialects.hpp"

namespace hallmark::captures {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr const char* publish_hi = "13 04 0200 6e657773 6869";
constexpr const char* delivery_hi = "03 0200 6869";
constexpr const char* subscribe_news = "11 04 6e657773";

/// Both sides as they speak, each knowing all that the other one has said, unless told otherwise.
class Talk {
 public:
  explicit Talk(const Format& format = deployed(), Origin origin = Origin::beginning)
      : conversation_(format, 0, origin, told_.sink()) {}

  Talk& client(std::string_view text) { return say(Side::client, hex(text), 0, sent_[1]); }
  Talk& server(std::string_view text) { return say(Side::server, hex(text), 0, sent_[0]); }
  /// The server, as one that knows only that many bytes of the client.
  Talk& server_knowing(std::uint64_t seen, std::string_view text) {
    return say(Side::server, hex(text), 0, seen);
  }
  Talk& client_knowing(std::uint64_t seen, std::string_view text) {
    return say(Side::client, hex(text), 0, seen);
  }
  Talk& lost(Side side, std::uint64_t length) {
    return say(side, {}, length, sent_[side == Side::client ? 1 : 0]);
  }
  const std::vector<std::string>& end() {
    conversation_.end("the capture ends");
    return told_.lines();
  }
  Told& told() { return told_; }

 private:
  Talk& say(Side side, const Bytes& bytes, std::uint64_t missing, std::uint64_t seen) {
    now_ += Time(1'000);
    conversation_.feed({side, bytes, missing, {now_, seen}});
    sent_[side == Side::client ? 0 : 1] += bytes.size() + missing;
    return *this;
  }

  Told told_;
  Conversation conversation_;
  std::uint64_t sent_[2] = {};
  Time now_{};
};

TEST(Conversation, PairsRequestsWithReplies) {
  EXPECT_THAT(
      Talk().client(insert_abc).server("01").client(query_abc).server(found_abc).end(),
      ElementsAre("#1 INSERT request", "#1 INSERT reply", "#2 QUERY request", "#2 QUERY reply"));
}

TEST(Conversation, PairsWhatIsPipelinedInOrder) {
  Talk talk;
  talk.client(std::string(insert_abc) + query_abc + query_abc)
      .server(std::string("00") + found_abc);
  talk.server("00");
  EXPECT_THAT(talk.end(), ElementsAre("#1 INSERT request", "#1 INSERT reply", "#2 QUERY request",
                                      "#2 QUERY reply", "#3 QUERY request", "#3 QUERY reply"));
}

TEST(Conversation, DoesNotCareHowBytesAreCut) {
  Talk talk;
  for (const char* byte : {"02", "03", "61", "62", "63"}) talk.client(byte);
  for (const char* byte : {"01", "07", "00", "04", "59", "00"}) talk.server(byte);
  EXPECT_THAT(talk.end(), ElementsAre("#1 QUERY request", "#1 QUERY reply"));
}

TEST(Conversation, LatencyIsFromLastByteToLastByte) {
  std::optional<Time> latency;
  Conversation conversation(deployed(), 0, Origin::beginning, [&](const Event& event) {
    if (const auto* reply = std::get_if<Reply>(&event.what)) latency = reply->latency;
  });
  conversation.feed({Side::client, hex("0203"), 0, {Time(10), 0}});
  conversation.feed({Side::client, hex("616263"), 0, {Time(100), 0}});
  conversation.feed({Side::server, hex("0107"), 0, {Time(300), 5}});
  conversation.feed({Side::server, hex("00045900"), 0, {Time(700), 5}});
  EXPECT_EQ(latency, Time(600));
}

TEST(Conversation, RequestsWithoutAReplyByTheReadingsAreNotWaitedFor) {
  EXPECT_THAT(Talk().client(publish_hi).client(query_abc).server("00").end(),
              ElementsAre("#1 PUBLISH request, no reply", "#2 QUERY request", "#2 QUERY reply"));
}

TEST(Conversation, PushesStandBetweenReplies) {
  Talk talk;
  talk.client(subscribe_news).server("01").client(query_abc);
  talk.server(std::string(delivery_hi) + found_abc + delivery_hi);
  EXPECT_THAT(talk.end(),
              ElementsAre("#1 SUBSCRIBE request", "#1 SUBSCRIBE reply", "DELIVERY push before #2",
                          "#2 QUERY request", "#2 QUERY reply", "DELIVERY push before #0"));
}

// Under the literal readings WHOAMI is answered with an id that may start with any byte.
constexpr const char* id_like_push = "03020011111111111111111111111111";

TEST(Conversation, AReplyThatStartsLikeAPushIsAReplyWhereNobodySubscribed) {
  EXPECT_THAT(Talk(literal()).client("18").server(id_like_push).end(),
              ElementsAre("#1 WHOAMI request", "#1 WHOAMI reply"));
}

TEST(Conversation, AReplyThatStartsLikeAPushEndsWhereTheBytesEnd) {
  Talk talk(literal());
  talk.client(subscribe_news).server("01").client("18").server(id_like_push);
  EXPECT_THAT(talk.end(), ElementsAre("#1 SUBSCRIBE request", "#1 SUBSCRIBE reply",
                                      "#2 WHOAMI request", "#2 WHOAMI reply",
                                      "- ambiguous server 1+16 #2: a push may begin like this, "
                                      "too"));
}

TEST(Conversation, APushBeforeAReplyThatMayStartLikeIt) {
  Talk talk(literal());
  talk.client(subscribe_news).server("01").client("18");
  talk.server(std::string(delivery_hi) + id_like_push);
  EXPECT_THAT(talk.end(),
              ElementsAre("#1 SUBSCRIBE request", "#1 SUBSCRIBE reply", "DELIVERY push before #2",
                          "- ambiguous server 1+5: a reply may begin like this, too",
                          "#2 WHOAMI request", "#2 WHOAMI reply",
                          "- ambiguous server 6+16 #2: a push may begin like this, too"));
}

TEST(Conversation, WhatMayBeEitherWaitsForMoreBytes) {
  Talk talk(literal());
  talk.client(subscribe_news).server("01").client("18");
  talk.server("03").server("0200").server("6869");
  EXPECT_THAT(talk.told().lines(), Contains("DELIVERY push before #2"));
}

TEST(Conversation, RequestsWithoutReplySayWhy) {
  EXPECT_THAT(Talk().client(query_abc).client(insert_abc).server("00").end(),
              ElementsAre("#1 QUERY request", "#1 QUERY reply", "#2 INSERT request",
                          "! unanswered client 5+10 #2: no reply came before the capture ends"));
}

TEST(Conversation, RepliesWithoutRequestAreFoundAndDoNotShiftTheNext) {
  Talk talk;
  talk.client(insert_abc).server("0101").client(query_abc).server(found_abc);
  EXPECT_THAT(talk.end(), ElementsAre("#1 INSERT request", "#1 INSERT reply",
                                      "! unasked server 1+1: no request asked for these bytes",
                                      "#2 QUERY request", "#2 QUERY reply"));
}

TEST(Conversation, AReplySentBeforeItsRequestArrivedIsUnasked) {
  Talk talk;
  talk.client(insert_abc).server("01").client(query_abc).server_knowing(10, "01").server(found_abc);
  EXPECT_THAT(talk.end(), ElementsAre("#1 INSERT request", "#1 INSERT reply",
                                      "! unasked server 1+1: no request asked for these bytes",
                                      "#2 QUERY request", "#2 QUERY reply"));
}

TEST(Conversation, AnUnaskedReplySaysWhichReadingWouldExplainIt) {
  EXPECT_THAT(Talk().client(publish_hi).server("01").end(),
              Contains("! unasked server 0+1: no request asked for these bytes; the request before "
                       "is answered with --reading publish-reply=status only"));
}

TEST(Conversation, AMalformedRequestEndsRequestsButNotTheRepliesBefore) {
  Talk talk;
  talk.client(query_abc).client("ff00").client("0203616263").server("00");
  EXPECT_THAT(talk.end(),
              ElementsAre("#1 QUERY request", "#1 QUERY reply",
                          "! malformed client 5+2: ff is no opcode of throttr-7.1",
                          "! undecoded client 7+5: passed over, since where messages begin is not "
                          "known"));
}

TEST(Conversation, IsTakenUpAgainAtTheNextTurn) {
  Talk talk;
  talk.client("ff00").server("00").client(query_abc).server(found_abc);
  EXPECT_THAT(talk.end(),
              ElementsAre("! malformed client 0+2: ff is no opcode of throttr-7.1",
                          "! undecoded server 0+1: passed over, since where messages begin is not "
                          "known",
                          HasSubstr("- resumed client 2+0: a request is taken to begin here, and "
                                    "its reply at byte 1 of the server: a guess"),
                          "#1 QUERY request", "#1 QUERY reply, guessed"));
}

TEST(Conversation, AMalformedReplyLeavesTheRequestsReadable) {
  Talk talk;
  talk.client(query_abc).client(insert_abc).server("ff01").client(query_abc).server(found_abc);
  EXPECT_THAT(talk.end(),
              ElementsAre("#1 QUERY request",
                          "! malformed server 0+2 #1: status at byte 0: ff is neither 00 nor 01",
                          "#2 INSERT request",
                          "! unanswered client 5+10 #2: where its reply begins is lost",
                          HasSubstr("- resumed client 15+0"), "#3 QUERY request",
                          "#3 QUERY reply, guessed"));
}

TEST(Conversation, AMalformedReplySaysWhichReadingWouldExplainIt) {
  // A status of 2 is malformed; without a status these are two fragments without keys.
  EXPECT_THAT(Talk()
                  .client("07")
                  .server("02000000000000000100000000000000000000000000000002000000000000000000"
                          "000000000000")
                  .end(),
              Contains(HasSubstr("(would be a reply to LIST with --reading status-prefix=no)")));
}

TEST(Conversation, AReplyThatDoesNotEndSaysWhichReadingWouldExplainIt) {
  // LIST of nothing as released, where the text is read literally.
  EXPECT_THAT(Talk(literal()).client("07").server("010000000000000000").end(),
              Contains(HasSubstr("(would be a reply to LIST with --reading status-prefix=yes)")));
}

TEST(Conversation, ARequestThatDoesNotEndSaysWhichWidthWouldExplainIt) {
  EXPECT_THAT(Talk().client("01 07000000 04 5a000000 03 616263").end(),
              Contains(HasSubstr("(would be requests with --width u32)")));
}

TEST(Conversation, AMalformedRequestSaysWhichWidthWouldExplainIt) {
  EXPECT_THAT(Talk().client("13 01 02000000 6e 6869").end(),
              ElementsAre("#1 PUBLISH request, no reply",
                          "! malformed client 7+2: 68 is no opcode of throttr-7.1 (would be "
                          "requests with --width u32)"));
}

TEST(Conversation, UnlistedValuesAreFoundAndHideNothing) {
  EXPECT_THAT(Talk().client("010700095a0003616263").server("00").end(),
              ElementsAre("#1 INSERT request",
                          "! unlisted client 3+1 #1: ttl_type is 09, which is not listed",
                          "#1 INSERT reply"));
}

TEST(Conversation, MessagesThatDoNotEndAreTruncated) {
  EXPECT_THAT(Talk().client(query_abc).client("0203").server("0107").end(),
              ElementsAre("#1 QUERY request",
                          "! truncated server 0+2 #1: QUERY ends after 2 of at least 3 bytes: the "
                          "capture ends",
                          "! truncated client 5+2: QUERY ends after 2 of at least 5 bytes: the "
                          "capture ends"));
}

// Missing bytes.

TEST(Conversation, AHoleInAValueIsBridged) {
  Talk talk;
  talk.client("05 04 5a00 03 0800 627566 6161")
      .lost(Side::client, 4)
      .client("6161" + std::string(query_abc));
  talk.server("0100");
  EXPECT_THAT(talk.end(),
              ElementsAre("#1 SET request",
                          "! missing client 12+4 #1: bytes 12 to 15 of this message are not in the "
                          "capture; zeros stand for them",
                          "#1 SET reply", "#2 QUERY request", "#2 QUERY reply"));
}

TEST(Conversation, AHoleInASizeLosesTheWay) {
  Talk talk;
  talk.client("02")
      .lost(Side::client, 1)
      .client("616263")
      .server("00")
      .client(query_abc)
      .server(found_abc);
  EXPECT_THAT(talk.told().findings(),
              ElementsAre("! missing client 0+2", "! undecoded client 2+3",
                          "! undecoded server 0+1", "- resumed client 5+0"));
  EXPECT_THAT(talk.end(), Contains("#1 QUERY reply, guessed"));
}

TEST(Conversation, AHoleBetweenMessagesLosesTheWayUntilTheNextTurn) {
  Talk talk;
  talk.client(query_abc).server("00").lost(Side::client, 5).server(found_abc);
  talk.client(insert_abc).server("01");
  EXPECT_THAT(
      talk.end(),
      ElementsAre("#1 QUERY request", "#1 QUERY reply",
                  "! missing client 5+5: these bytes are not in the capture; where messages "
                  "begin is lost",
                  "! undecoded server 1+6: passed over, since where messages begin is not "
                  "known",
                  HasSubstr("- resumed client 10+0"), "#2 INSERT request",
                  "#2 INSERT reply, guessed"));
}

TEST(Conversation, AHoleThatReachesIntoTheNextMessageLosesTheWay) {
  Talk talk;
  talk.client("02 03 61").lost(Side::client, 4).client("616263");
  EXPECT_THAT(talk.end(), Contains(HasSubstr("! missing client 5+2: the bytes that begin this "
                                             "message are not in the capture")));
}

TEST(Conversation, AMissingReplyIsNotPairedWithTheNext) {
  Talk talk;
  talk.client(query_abc).lost(Side::server, 6).client(insert_abc).server("01");
  talk.client(query_abc).server("00");
  EXPECT_THAT(
      talk.end(),
      ElementsAre(HasSubstr("! missing server 0+6"), "#1 QUERY request",
                  "! unanswered client 0+5 #1: where its reply begins is lost", "#2 INSERT request",
                  "! unanswered client 5+10 #2: the server's bytes could not be followed",
                  HasSubstr("! undecoded server 6+1"), HasSubstr("- resumed client 15+0"),
                  "#3 QUERY request", "#3 QUERY reply, guessed"));
}

TEST(Conversation, IsNoTurnWhileTheServerOwesSomething) {
  Talk talk;
  // The client speaks before it received what the server had sent: not a turn.
  talk.client("ff").server("00").client_knowing(0, query_abc);
  // The server had not received all of the client's bytes: not a turn either.
  talk.server_knowing(1, "00").client(query_abc);
  EXPECT_THAT(talk.end(), testing::Not(Contains(HasSubstr("resumed"))));
}

TEST(Conversation, BegunWithinTakesTheFirstTurnAsABeginning) {
  Talk talk(deployed(), Origin::within);
  talk.client(query_abc).server(found_abc).client(insert_abc).server("01");
  EXPECT_THAT(talk.end(), ElementsAre(HasSubstr("- resumed client 0+0"), "#1 QUERY request",
                                      "#1 QUERY reply, guessed", "#2 INSERT request",
                                      "#2 INSERT reply, guessed"));
}

TEST(Conversation, BegunWithinPassesOverRepliesToWhatCameBefore) {
  Talk talk(deployed(), Origin::within);
  talk.server(found_abc).client(query_abc).server(found_abc);
  EXPECT_THAT(talk.end(),
              ElementsAre(HasSubstr("! undecoded server 0+6"), HasSubstr("- resumed client 0+0"),
                          "#1 QUERY request", "#1 QUERY reply, guessed"));
}

// Bounds.

TEST(Conversation, GivesUpAConnectionThatLosesItsWayTooOften) {
  Talk talk;
  for (unsigned i = 0; i < 2 * Conversation::most_losses; ++i) talk.client("ff").server("00");
  const auto& lines = talk.end();
  EXPECT_EQ(std::ranges::count_if(lines,
                                  [](const auto& line) { return line.starts_with("! malformed"); }),
            Conversation::most_losses);
  EXPECT_THAT(lines, Contains(HasSubstr("the rest of the connection is passed over")));
}

TEST(Conversation, ALongConnectionMayLoseItsWayManyTimes) {
  Talk talk;
  std::size_t good = 0;
  for (unsigned i = 0; i < 2 * Conversation::most_losses; ++i) {
    talk.client("ff").server("00");
    for (unsigned n = 0; n < Conversation::most_losses; ++n, ++good) {
      talk.client(query_abc).server("00");
    }
  }
  const auto& lines = talk.end();
  EXPECT_EQ(std::ranges::count_if(
                lines, [](const auto& line) { return line.ends_with("QUERY reply, guessed"); }),
            static_cast<std::ptrdiff_t>(good));
}

TEST(Conversation, RequestsThatNobodyAnswersAreNotKeptForEver) {
  Talk talk;
  std::string some;
  for (int i = 0; i < 1000; ++i) some += query_abc;
  for (std::size_t i = 0; i <= Conversation::most_waiting / 1000; ++i) talk.client(some);
  EXPECT_THAT(talk.told().lines(),
              Contains(HasSubstr("65537 requests wait for their replies: more than are kept")));
  EXPECT_THAT(talk.told().lines().back(), HasSubstr("the server's bytes could not be followed"));
}

// Replies that repeat the id of their request: Throttr 2.0.

class Ids : public testing::Test {
 protected:
  Ids()
      : format_(protocol::throttr_2_0.widths.front(),
                protocol::Readings(protocol::throttr_2_0, protocol::Profile::deployed)) {}
  const Format format_;
};

constexpr const char* query_id_5 = "02 05000000 01 01 61 62";
constexpr const char* query_id_6 = "02 06000000 01 01 61 62";

TEST_F(Ids, RepliesThatRepeatTheIdAreRight) {
  EXPECT_THAT(Talk(format_).client(query_id_5).server("0500000000").end(),
              ElementsAre("#1 QUERY request", "#1 QUERY reply"));
}

TEST_F(Ids, RepliesThatRepeatAnotherIdAreFound) {
  Talk talk(format_);
  talk.client(std::string(query_id_5) + query_id_6).server("06000000000700000000");
  EXPECT_THAT(talk.end(),
              ElementsAre("#1 QUERY request", "#1 QUERY reply",
                          "! mismatched server 0+5 #1: request_id is 6 where that of the request "
                          "is 5; request #2 has that id",
                          "#2 QUERY request", "#2 QUERY reply",
                          "! mismatched server 5+5 #2: request_id is 7 where that of the request "
                          "is 6"));
}

class AnyOrder : public testing::Test {
 protected:
  static protocol::Readings readings() {
    protocol::Readings readings(protocol::throttr_2_0, protocol::Profile::deployed);
    readings.choose({"reply-order", "any-order"});
    return readings;
  }
  const Format format_{protocol::throttr_2_0.widths.front(), readings()};
};

constexpr const char* insert_id_7 = "01 07000000 0500000000000000 02 5a00000000000000 01 01 61 62";

TEST_F(AnyOrder, IdsTellRepliesApart) {
  Talk talk(format_);
  talk.client(std::string(query_id_5) + insert_id_7);
  talk.server("0700").server("000001");  // the id comes in parts
  talk.server("05000000 01 0500000000000000 02 5900000000000000");
  EXPECT_THAT(talk.end(), ElementsAre("#2 INSERT request", "#2 INSERT reply", "#1 QUERY request",
                                      "#1 QUERY reply"));
}

TEST_F(AnyOrder, AnIdThatNobodySentIsFound) {
  EXPECT_THAT(Talk(format_).client(query_id_5).server("0900000000").end(),
              ElementsAre("#1 QUERY request", "#1 QUERY reply",
                          "! mismatched server 0+5 #1: request_id is 9 where that of the request "
                          "is 5"));
}

}  // namespace
}  // namespace hallmark::captures
