#include "captures/text_report.hpp"

#include <gmock/gmock.h>
#include <pcap/dlt.h>

#include "captures/sequence.hpp"
#include "captures/tests/packets.hpp"
#include "protocol/dialects.hpp"

namespace hallmark::captures {
namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;

constexpr std::size_t everything = std::numeric_limits<std::size_t>::max();

class Printed : public testing::Test {
 protected:
  Sink sink() {
    return [this](const Event& event) {
      tally_.add(event);
      report().add(event);
    };
  }
  TextReport& report() {
    if (!report_) {
      report_.emplace(deployed(), options_, [this](std::string_view text) { text_ += text; });
    }
    return *report_;
  }
  const std::string& end(const CaptureSummary* capture = nullptr) {
    report().end(tally_, capture);
    return text_;
  }

  TextOptions options_{};
  Tally tally_;
  std::string text_;
  std::optional<TextReport> report_;
};

TEST_F(Printed, ADialogue) {
  report().begin({"command line", InputFormat::hex, true, "deployed", {}});
  decode_dialogue(deployed(),
                  *parse_directed_hex("> 0203616263 13040200 6e657773 6869\n< 010700045900 00"),
                  sink());
  EXPECT_EQ(end(),
            "command line: taken for hex; throttr-7.1 u16, profile deployed\n"
            "\n"
            "#1 QUERY request, 5 bytes at 0\n"
            "     0  02      opcode    QUERY\n"
            "     1  03      key_size  3 = size of key\n"
            "     2  616263  key       \"abc\"\n"
            "#1 QUERY reply, 6 bytes at 0\n"
            "     0  01    status    success\n"
            "     1  0700  quota     7\n"
            "     3  04    ttl_type  seconds\n"
            "     4  5900  ttl       89 units of ttl_type\n"
            "\n"
            "#2 PUBLISH request, 10 bytes at 5\n"
            "     0  13        opcode        PUBLISH\n"
            "     1  04        channel_size  4 = size of channel\n"
            "     2  0200      payload_size  2 = size of payload\n"
            "     4  6e657773  channel       \"news\"\n"
            "     8  6869      payload       \"hi\"\n"
            "  no reply: sent only under publish-reply=status\n"
            "! unasked, 1 byte at 6 of the server: no request asked for these bytes; the request "
            "before is answered with --reading publish-reply=status only\n"
            "     0  00\n"
            "\n"
            "FAULTS  2 requests, 1 reply, 1 unasked\n");
}

TEST_F(Printed, ACapture) {
  Session session;
  session.handshake().client("0203616263").server("00").client("ff").farewell();
  report().begin({"a.pcap", InputFormat::capture, false, "literal", {"whoami=id"}});
  const auto summary = opened(capture_file(Container::pcap, DLT_EN10MB, session.frames()))
                           .decode(deployed(), {}, sink());
  EXPECT_EQ(end(&summary),
            "a.pcap: read as pcap; throttr-7.1 u16, profile literal, whoami=id\n"
            "\n"
            "c1 10.0.0.1:40000 -> 10.0.0.2:9000, from 0.000000000 s\n"
            "\n"
            "c1 #1 QUERY request, 5 bytes at 0, 0.003000000 s\n"
            "     0  02      opcode    QUERY\n"
            "     1  03      key_size  3 = size of key\n"
            "     2  616263  key       \"abc\"\n"
            "c1 #1 QUERY reply, 1 byte at 0, 0.004000000 s, after 1.00 ms\n"
            "     0  00  status  failure\n"
            "c1 ! malformed, 1 byte at 5 of the client, 0.005000000 s: ff is no opcode of "
            "throttr-7.1\n"
            "     0  ff\n"
            "c1 ends at 0.007000000 s: the client closed the connection\n"
            "\n"
            "9 segments in 9 frames of link type EN10MB, 7 bytes of payload\n"
            "FAULTS  1 request, 1 reply, 1 connection, 1 malformed\n");
}

TEST_F(Printed, GuessesSaySo) {
  Session session;
  session.client("0203616263").server("00");
  opened(capture_file(Container::pcap, DLT_EN10MB, session.frames()))
      .decode(deployed(), {}, sink());
  EXPECT_THAT(end(), HasSubstr("c1 10.0.0.1:40000 -> 10.0.0.2:9000, from 0.000000000 s; client and "
                               "server guessed: whose bytes are requests; the capture begins "
                               "within it\n"));
  EXPECT_THAT(text_, HasSubstr("c1 #1 QUERY reply, 1 byte at 0, 0.001000000 s, after 1.00 ms, "
                               "paired by a guess\n"));
  EXPECT_THAT(text_, HasSubstr("c1 - resumed, 0 bytes at 0 of the client: "));
  EXPECT_THAT(text_, EndsWith("DECODED  1 request, 1 reply, 1 resumed\n"));
}

TEST_F(Printed, PushesSayWhichReplyIsDue) {
  decode_replies(deployed(), {protocol::find_operation(protocol::throttr_7_1, "PURGE")},
                 hex("03020068690103020068 69"), sink());
  EXPECT_THAT(end(), HasSubstr("DELIVERY push, 5 bytes at 0, before the reply to #1\n"));
  EXPECT_THAT(text_, HasSubstr("DELIVERY push, 5 bytes at 6\n"));
  EXPECT_THAT(text_, EndsWith("DECODED  0 requests, 1 reply, 2 pushes\n"));
}

TEST_F(Printed, BrokenMessagesAreShownAsFarAsTheyGo) {
  decode_requests(deployed(), {}, hex("020361"), sink());
  EXPECT_THAT(end(),
              HasSubstr("#1 ! truncated, 3 bytes at 0 of the client: QUERY ends after 3 of "
                        "at least 5 bytes\n"
                        "     0  02  opcode    QUERY\n"
                        "     1  03  key_size  3 = size of key\n"
                        "     2  61            ends here; at least 5 bytes were expected\n"));
}

TEST_F(Printed, NothingIsNotDecoded) { EXPECT_EQ(end(), "\nNOTHING  0 requests, 0 replies\n"); }

/// A STATS reply with that many keys of one letter.
Bytes stats_of(std::size_t keys) {
  Bytes reply = hex("01 0100000000000000 0100000000000000");
  reply.push_back(static_cast<std::uint8_t>(keys));
  reply.insert(reply.end(), 7, 0);
  for (std::size_t i = 0; i < keys; ++i) {
    const Bytes entry =
        hex("01 0000000000000000 0000000000000000 0000000000000000 0000000000000000");
    reply.insert(reply.end(), entry.begin(), entry.end());
  }
  reply.insert(reply.end(), keys, 'k');
  return reply;
}

const protocol::Operation* stats() {
  return protocol::find_operation(protocol::throttr_7_1, "STATS");
}

TEST_F(Printed, LongListsSayWhatTheyLeaveOut) {
  options_.most_records = 2;
  decode_replies(deployed(), {stats()}, stats_of(5), sink());
  EXPECT_THAT(end(), HasSubstr("fragments[0].keys[1].total_writes"));
  EXPECT_THAT(text_, HasSubstr("    91  0100000000000000…0000000000000000  fragments[0].keys[2..4] "
                               "                3 records left out\n"
                               "   190  6b "));
  EXPECT_THAT(text_, HasSubstr("fragments[0].keys[1].key "));
  EXPECT_THAT(text_, Not(HasSubstr("fragments[0].keys[2].")));
}

TEST_F(Printed, AllRecordsOnDemand) {
  options_.most_records = everything;
  decode_replies(deployed(), {stats()}, stats_of(200), sink());
  EXPECT_THAT(end(), HasSubstr("fragments[0].keys[199].key "));
  EXPECT_THAT(text_, Not(HasSubstr("left out")));
}

class Remarks : public Printed {
 protected:
  /// A connection each of whose segments was captured five times.
  void decode() {
    Session session;
    session.handshake().client("07");
    for (int i = 0; i < 4; ++i) session.frames().push_back(session.last());
    opened(capture_file(Container::pcap, DLT_EN10MB, session.frames()))
        .decode(deployed(), {}, sink());
  }
};

TEST_F(Remarks, OfOneKindAreCountedBeyondABound) {
  options_.most_remarks = 3;
  decode();
  EXPECT_THAT(text_, HasSubstr("c1 - retransmitted, 1 byte at 0 of the client, 0.003000000 s: sent "
                               "again; the first ones stand\n"));
  EXPECT_THAT(text_, HasSubstr("c1 - and 1 more: retransmitted\n"));
  EXPECT_THAT(end(), HasSubstr("4 retransmitted\n"));
}

TEST_F(Remarks, AreAllPrintedWithinIt) {
  options_.most_remarks = 4;
  decode();
  EXPECT_THAT(text_, Not(HasSubstr(" more: ")));
}

}  // namespace
}  // namespace hallmark::captures
