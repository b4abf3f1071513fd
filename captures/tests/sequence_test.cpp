#include "captures/sequence.hpp"

#include <gmock/gmock.h>

#include "captures/tests/told.hpp"
#include "protocol/dialects.hpp"

namespace hallmark::captures {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

const protocol::Operation* operation(protocol::MessageName name) {
  return protocol::find_operation(protocol::throttr_7_1, name);
}

std::vector<std::string> requests(std::string_view text,
                                  const std::vector<const protocol::Operation*>& operations = {}) {
  Told told;
  decode_requests(deployed(), operations, hex(text), told.sink());
  return told.lines();
}

std::vector<std::string> replies(std::string_view text,
                                 const std::vector<const protocol::Operation*>& operations,
                                 const Format& format = deployed()) {
  Told told;
  decode_replies(format, operations, hex(text), told.sink());
  return told.lines();
}

std::vector<std::string> pushes(std::string_view text, const protocol::Push* push = nullptr) {
  Told told;
  decode_pushes(deployed(), push, hex(text), told.sink());
  return told.lines();
}

TEST(Requests, OneBehindTheOther) {
  EXPECT_THAT(requests("0203616263 07 0403616263"),
              ElementsAre("#1 QUERY request", "#2 LIST request", "#3 PURGE request"));
}

TEST(Requests, ThatDoNotEnd) {
  EXPECT_THAT(requests("07 02036162"),
              ElementsAre("#1 LIST request",
                          "! truncated client 1+4 #2: QUERY ends after 4 of at least 5 bytes"));
}

TEST(Requests, OfAnUnknownOpcode) {
  EXPECT_THAT(
      requests("07 ff 07"),
      ElementsAre("#1 LIST request", "! malformed client 1+2: ff is no opcode of throttr-7.1"));
}

TEST(Requests, OfAnotherWidthGetAHint) {
  EXPECT_THAT(requests("01 07000000 04 5a000000 03 616263"),
              ElementsAre("! truncated client 0+14 #1: INSERT ends after 14 of at least 97 bytes "
                          "(would be requests with --width u32)"));
}

TEST(Requests, WithUnlistedValues) {
  EXPECT_THAT(requests("03 05 09 0000 01 61"),
              ElementsAre("#1 UPDATE request",
                          "! unlisted client 1+1 #1: attribute is 05, which "
                          "is not listed; 1 more such values"));
}

TEST(Requests, HeldToWhatTheyAreSaidToBe) {
  EXPECT_THAT(requests("07", {operation("INFO")}),
              ElementsAre("! malformed client 0+1 #1: opcode at byte 0: 07 where 08 was expected"));
  EXPECT_THAT(requests("0708", {operation("LIST")}),
              ElementsAre("#1 LIST request",
                          "! undecoded client 1+1: left over behind the last "
                          "request"));
}

TEST(Replies, ToOperationsInOrder) {
  EXPECT_THAT(
      replies("01 00 010700045900", {operation("INSERT"), operation("PURGE"), operation("QUERY")}),
      ElementsAre("#1 INSERT reply", "#2 PURGE reply", "#3 QUERY reply"));
}

TEST(Replies, WithPushesBetweenAndBehind) {
  EXPECT_THAT(replies("0302006869 01 0302006869", {operation("INSERT")}),
              ElementsAre("DELIVERY push before #1", "#1 INSERT reply", "DELIVERY push before #0"));
}

TEST(Replies, ThatAreNotSentAreNotExpected) {
  EXPECT_THAT(replies("01", {operation("PUBLISH"), operation("INSERT")}),
              ElementsAre("#2 INSERT reply"));
}

TEST(Replies, FewerThanOperations) {
  EXPECT_THAT(replies("01", {operation("INSERT"), operation("QUERY")}),
              ElementsAre("#1 INSERT reply",
                          "! unanswered server 1+0 #2: no bytes are left for the reply to QUERY"));
}

TEST(Replies, LeftOver) {
  EXPECT_THAT(
      replies("0101", {operation("INSERT")}),
      ElementsAre("#1 INSERT reply", "! unasked server 1+1: left over behind the last reply"));
}

TEST(Replies, MalformedOnesGetAHint) {
  EXPECT_THAT(
      replies("010000000000000000", {operation("LIST")}, literal()),
      ElementsAre("! truncated server 0+9 #1: LIST ends after 9 of at least 24 bytes (would "
                  "be a reply to LIST with --reading status-prefix=yes)"));
  EXPECT_THAT(replies("02", {operation("INSERT")}),
              ElementsAre("! malformed server 0+1 #1: status at byte 0: 02 is neither 00 nor 01"));
}

TEST(Pushes, ByTheirOpcode) {
  EXPECT_THAT(pushes("030100aa 0300000100"),
              ElementsAre("DELIVERY push before #0", "DELIVERY push before #0",
                          "! malformed server 7+2: 01 begins no push of throttr-7.1"));
}

TEST(Pushes, HeldToWhatTheyAreSaidToBe) {
  EXPECT_THAT(pushes("010100", &protocol::throttr_7_1.pushes[0]),
              ElementsAre("! malformed server 0+3: opcode at byte 0: 01 where 03 was expected"));
}

TEST(Dialogue, IsPaired) {
  Told told;
  decode_dialogue(deployed(), *parse_directed_hex("> 0203616263 07\n< 00\n< 010000000000000000"),
                  told.sink());
  EXPECT_THAT(told.lines(), ElementsAre("#1 QUERY request", "#1 QUERY reply", "#2 LIST request",
                                        "#2 LIST reply"));
}

TEST(Dialogue, WithoutAReply) {
  Told told;
  decode_dialogue(deployed(), *parse_directed_hex("> 0203616263"), told.sink());
  EXPECT_THAT(told.lines(),
              ElementsAre("#1 QUERY request",
                          "! unanswered client 0+5 #1: no reply came before the input ends"));
}

TEST(Dialogue, HasNoTimes) {
  decode_dialogue(deployed(), *parse_directed_hex("> 0203616263\n< 00"), [](const Event& event) {
    EXPECT_EQ(event.connection, 0U);
    if (const auto* reply = std::get_if<Reply>(&event.what)) {
      EXPECT_EQ(reply->latency, std::nullopt);
      EXPECT_EQ(reply->message.at, std::nullopt);
    }
  });
}

}  // namespace
}  // namespace hallmark::captures
