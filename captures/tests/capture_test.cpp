#include "captures/capture.hpp"

#include <gmock/gmock.h>
#include <pcap/dlt.h>

#include <algorithm>

#include "captures/connection.hpp"
#include "captures/tests/messages_7_1.hpp"
#include "captures/tests/packets.hpp"
#include "cmake/places/places.hpp"

namespace hallmark::captures {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::ElementsAreArray;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

Session plain() {
  Session session;
  session.handshake()
      .client(insert_abc)
      .server("01")
      .client(query_abc)
      .server(found_abc)
      .farewell();
  return session;
}

const std::vector<std::string> plain_told = {
    "c1 opened 10.0.0.1:40000 -> 10.0.0.2:9000 by handshake",
    "c1 #1 INSERT request",
    "c1 #1 INSERT reply",
    "c1 #2 QUERY request",
    "c1 #2 QUERY reply",
    "c1 closed: the client closed the connection"};

/// The frames of `plain` that carry something.
enum : std::size_t { insert_frame = 3, inserted_frame, query_frame, found_frame };

std::vector<std::string> without_findings(std::vector<std::string> lines) {
  std::erase_if(lines, [](const auto& line) {
    return line.find(" - ") != std::string::npos || line.find(" ! ") != std::string::npos;
  });
  return lines;
}

class EveryContainer : public testing::TestWithParam<Container> {};

TEST_P(EveryContainer, IsRead) {
  Told told;
  Session session = plain();
  const Bytes file = capture_file(GetParam(), session.link_type(), session.frames());
  const auto summary = opened(file).decode(deployed(), {}, told.sink());
  EXPECT_THAT(told.lines(), ElementsAreArray(plain_told));
  EXPECT_EQ(summary.link_type, "EN10MB");
  EXPECT_EQ(summary.frames, 10U);
  EXPECT_EQ(summary.segments, 10U);
  EXPECT_EQ(summary.payload, 22U);
}

INSTANTIATE_TEST_SUITE_P(Rows, EveryContainer,
                         testing::Values(Container::pcap, Container::pcap_ns,
                                         Container::pcap_big_endian, Container::pcapng));

TEST(Capture, TimesAreSinceTheFirstPacket) {
  std::optional<Time> at, latency;
  Session session = plain();
  opened(capture_file(Container::pcap_ns, DLT_EN10MB, session.frames()))
      .decode(deployed(), {}, [&](const Event& event) {
        const auto* const reply = std::get_if<Reply>(&event.what);
        if (reply == nullptr || reply->number != 2) return;
        at = reply->message.at;
        latency = reply->latency;
      });
  EXPECT_EQ(at, std::chrono::milliseconds(6));
  EXPECT_EQ(latency, std::chrono::milliseconds(1));
}

TEST(Capture, OverIpv6) {
  Session session({.link_type = DLT_RAW, .v6 = true});
  session.handshake().client(query_abc).server("00").farewell();
  EXPECT_THAT(
      told_of(session),
      ElementsAre("c1 opened [fd00::1]:40000 -> [fd00::2]:9000 by handshake", "c1 #1 QUERY request",
                  "c1 #1 QUERY reply", "c1 closed: the client closed the connection"));
}

TEST(Capture, SequenceNumbersWrapAround) {
  Session session({.link_type = DLT_EN10MB, .client_isn = 0xfffffff8, .server_isn = 0xffffffff});
  session.handshake()
      .client(insert_abc)
      .server("01")
      .client(query_abc)
      .server(found_abc)
      .farewell();
  EXPECT_THAT(told_of(session), ElementsAreArray(plain_told));
}

TEST(Capture, SegmentsOutOfOrder) {
  Session session;
  session.handshake().client("0107").client("00045a00").client("03616263").server("01").farewell();
  std::swap(session.frames()[3], session.frames()[5]);
  EXPECT_THAT(
      told_of(session),
      ElementsAre("c1 opened 10.0.0.1:40000 -> 10.0.0.2:9000 by handshake",
                  "c1 - reordered client 6+4: came before bytes 0 to 5",
                  "c1 - reordered client 2+4: came before bytes 0 to 1", "c1 #1 INSERT request",
                  "c1 #1 INSERT reply", "c1 closed: the client closed the connection"));
}

TEST(Capture, AReplyCapturedBeforeItsRequest) {
  Session session = plain();
  std::swap(session.frames()[query_frame], session.frames()[found_frame]);
  EXPECT_THAT(told_of(session), ElementsAreArray(plain_told));
}

TEST(Capture, Retransmissions) {
  Session session = plain();
  session.frames().insert(session.frames().begin() + query_frame, session.frames()[insert_frame]);
  const auto lines = told_of(session);
  EXPECT_THAT(lines, Contains("c1 - retransmitted client 0+10: sent again; the first ones stand"));
  EXPECT_THAT(without_findings(lines), ElementsAreArray(plain_told));
}

TEST(Capture, ALostSegmentIsNamedAndWhatFollowsIsTakenUpAgain) {
  Session session;
  session.handshake().client(insert_abc).server("01").client(query_abc).server(found_abc);
  session.client(insert_abc).server("00").farewell();
  session.frames().erase(session.frames().begin() + query_frame);
  EXPECT_THAT(
      told_of(session),
      ElementsAre("c1 opened 10.0.0.1:40000 -> 10.0.0.2:9000 by handshake", "c1 #1 INSERT request",
                  "c1 #1 INSERT reply", "c1 - reordered client 15+10: came before bytes 10 to 14",
                  HasSubstr("c1 ! missing client 10+5: these bytes are not in the capture"),
                  HasSubstr("c1 ! undecoded server 1+6"), HasSubstr("c1 - resumed client 15+0"),
                  "c1 #2 INSERT request", "c1 #2 INSERT reply, guessed",
                  "c1 closed: the client closed the connection"));
}

TEST(Capture, ALostReplyIsNotPairedWithTheNext) {
  Session session;
  session.handshake().client(insert_abc).server("01").client(insert_abc).server("00");
  session.client(query_abc).server(found_abc).client(query_abc).server(found_abc).farewell();
  session.frames().erase(session.frames().begin() + found_frame);
  const auto lines = told_of(session);
  EXPECT_THAT(lines, Contains("c1 #1 INSERT reply"));
  EXPECT_THAT(lines, Contains(HasSubstr("! missing server 1+1")));
  EXPECT_THAT(lines, Contains(HasSubstr("! unanswered client 10+10 #2")));
  EXPECT_THAT(lines, Not(Contains(HasSubstr("#3 QUERY reply"))));
  EXPECT_THAT(lines, Contains("c1 #4 QUERY reply, guessed"));
}

TEST(Capture, AHoleIsGivenUpWhileTheConnectionGoesOn) {
  Session session;
  session.handshake().client(query_abc).server("00").client(query_abc).server("00");
  for (unsigned i = 0; i < 2 * Connection::patience; ++i) session.client(query_abc).server("00");
  session.frames().erase(session.frames().begin() + query_frame);
  const auto lines = told_of(session);  // without an end
  EXPECT_THAT(lines, Contains(HasSubstr("! missing client 5+5")));
  EXPECT_EQ(std::ranges::count(lines, "c1 closed: the capture ends"), 1);
  EXPECT_THAT(lines, Contains("c1 #33 QUERY reply, guessed"));
}

TEST(Capture, AFinalSegmentThatWasLost) {
  Session session = plain();
  session.frames().erase(session.frames().begin() + found_frame);
  EXPECT_THAT(
      told_of(session),
      ElementsAre("c1 opened 10.0.0.1:40000 -> 10.0.0.2:9000 by handshake", "c1 #1 INSERT request",
                  "c1 #1 INSERT reply", HasSubstr("c1 ! missing server 1+6"), "c1 #2 QUERY request",
                  HasSubstr("c1 ! unanswered client 10+5 #2"),
                  "c1 closed: the client closed the connection"));
}

TEST(Capture, OneSideOnly) {
  Session session;
  session.handshake();
  for (unsigned i = 0; i < 3 * Connection::patience; ++i) session.client(query_abc).server("00");
  std::erase_if(session.frames(), [](const Frame& frame) {
    return frame.bytes[26 + 3] == 2;  // from 10.0.0.2
  });
  const auto lines = told_of(session);
  EXPECT_EQ(std::ranges::count_if(
                lines, [](const auto& line) { return line.ends_with(" QUERY request"); }),
            3 * Connection::patience);
  EXPECT_EQ(std::ranges::count_if(
                lines, [](const auto& line) { return line.find("missing") != line.npos; }),
            1);
  EXPECT_THAT(lines, Not(Contains(HasSubstr("reply to"))));
}

TEST(Capture, FramesCutByTheSnapLength) {
  Session session;
  session.handshake().client("05 04 5a00 03 0800 627566 6161616161616161");
  session.last().cut = 3;
  session.server("01").farewell();
  const auto lines = told_of(session);
  EXPECT_THAT(lines, Contains("c1 ! missing client 15+3 #1: bytes 15 to 17 of this message are not "
                              "in the capture; zeros stand for them"));
  EXPECT_THAT(lines, Contains("c1 #1 SET reply"));
}

TEST(Capture, WithoutAHandshakeTheSidesAreToldApartByPort) {
  Session session;
  session.client(query_abc).server("00");
  EXPECT_THAT(told_of(session, 9000),
              Contains("c1 opened 10.0.0.1:40000 -> 10.0.0.2:9000 by port, from within"));
}

TEST(Capture, WithoutAHandshakeOrAPortTheSidesAreToldApartByTheirBytes) {
  Session session({.link_type = DLT_EN10MB, .client_port = 80, .server_port = 9000});
  session.server(found_abc).client(insert_abc).server("01");
  EXPECT_THAT(told_of(session),
              Contains("c1 opened 10.0.0.1:80 -> 10.0.0.2:9000 by decoding, from within"));
}

TEST(Capture, WhereBytesDoNotTellTheSmallerPortServes) {
  Session session;
  session.server("0107").client("0203");
  EXPECT_THAT(told_of(session),
              Contains("c1 opened 10.0.0.1:40000 -> 10.0.0.2:9000 by port-order, from within"));
}

TEST(Capture, OnlyTheGivenPortIsDecoded) {
  Session session = plain();
  Told told;
  const auto summary = opened(capture_file(Container::pcap, DLT_EN10MB, session.frames()))
                           .decode(deployed(), {.port = 9001}, told.sink());
  EXPECT_THAT(told.lines(), IsEmpty());
  EXPECT_EQ(summary.segments, 0U);
  EXPECT_EQ(summary.other_ports, 10U);
}

TEST(Capture, ConnectionsAreKeptApart) {
  Session one = plain();
  Session two({.link_type = DLT_EN10MB, .client_port = 40'001});
  two.handshake().client("0203646566").server("00").farewell();
  std::vector<Frame> both;
  for (std::size_t i = 0; i < one.frames().size(); ++i) {
    both.push_back(one.frames()[i]);
    if (i < two.frames().size()) both.push_back(two.frames()[i]);
  }
  const auto lines = told_of(DLT_EN10MB, both);
  EXPECT_THAT(lines, Contains("c2 #1 QUERY reply"));
  EXPECT_THAT(lines, Contains("c1 #2 QUERY reply"));
}

TEST(Capture, TheSameEndpointsMayMeetAgain) {
  Session one = plain();
  Session two({.link_type = DLT_EN10MB, .client_isn = 70'000, .server_isn = 90'000});
  two.handshake().client(query_abc).server("00").farewell();
  std::vector<Frame> both = one.frames();
  both.insert(both.end(), two.frames().begin(), two.frames().end());
  EXPECT_THAT(told_of(DLT_EN10MB, both), Contains("c2 #1 QUERY reply"));
  // The same where the first one never ended.
  both.erase(both.begin() + found_frame + 1, both.begin() + found_frame + 4);
  const auto lines = told_of(DLT_EN10MB, both);
  EXPECT_THAT(lines, Contains("c1 closed: another connection took its place"));
  EXPECT_THAT(lines, Contains("c2 #1 QUERY reply"));
}

TEST(Capture, AResetEndsAConnection) {
  Session session;
  session.handshake().client(query_abc).server_flags(rst);
  EXPECT_THAT(
      told_of(session),
      ElementsAre("c1 opened 10.0.0.1:40000 -> 10.0.0.2:9000 by handshake", "c1 #1 QUERY request",
                  "c1 ! unanswered client 0+5 #1: no reply came before the server reset the "
                  "connection",
                  "c1 closed: the server reset the connection"));
}

TEST(Capture, StragglersOfAConnectionThatIsOverBeginNone) {
  Session session = plain();
  session.frames().push_back(session.frames()[insert_frame]);
  EXPECT_THAT(told_of(session), ElementsAreArray(plain_told));
}

TEST(Capture, ThatBreaksOffSaysSoAfterWhatItHolds) {
  Session session = plain();
  Bytes file = capture_file(Container::pcap, DLT_EN10MB, session.frames());
  file.resize(file.size() - 10);
  Told told;
  opened(file).decode(deployed(), {}, told.sink());
  EXPECT_THAT(told.lines(), Contains("c1 #2 QUERY reply"));
  EXPECT_THAT(told.lines().back(), HasSubstr("! damaged client 0+0: the capture breaks off: "
                                             "truncated dump file"));
}

TEST(Capture, FragmentsAndBrokenFramesAreCounted) {
  Session session = plain();
  std::vector<Frame> frames = session.frames();
  Frame fragment = frames[insert_frame];
  fragment.bytes[14 + 6] = 0x20;
  Frame broken = frames[insert_frame];
  broken.cut = broken.bytes.size() - 30;
  frames.push_back(fragment);
  frames.push_back(broken);
  const auto lines = told_of(DLT_EN10MB, frames);
  EXPECT_THAT(lines, Contains(HasSubstr("1 fragment of an IP packet was passed over")));
  EXPECT_THAT(lines, Contains(HasSubstr("1 frame was passed over: cut short or malformed before "
                                        "its payload")));
}

TEST(Capture, WithoutTcpTellsNothing) { EXPECT_THAT(told_of(DLT_EN10MB, {}), IsEmpty()); }

std::FILE* stream_of(Bytes& bytes) { return fmemopen(bytes.data(), bytes.size(), "rb"); }

TEST(Capture, OtherFilesAreRefused) {
  Bytes text = hex("01020304050607080910111213141516171819202122232425262728");
  EXPECT_EQ(Capture::open(stream_of(text)).error().message,
            "not a capture that libpcap reads: unknown file format");
  Bytes cut = hex("d4c3b2a102000400");
  EXPECT_THAT(Capture::open(stream_of(cut)).error().message,
              HasSubstr("not a capture that libpcap reads: truncated dump file"));
}

TEST(Capture, OtherLinkTypesAreRefused) {
  Bytes file = capture_file(Container::pcap, DLT_IEEE802_11, {});
  EXPECT_EQ(Capture::open(stream_of(file)).error().message,
            "a capture of link type IEEE802_11; allowed: Ethernet, loopback, raw IP, Linux cooked");
}

// Recorded from the reference server; see data/README.md.

class Recorded : public testing::TestWithParam<const char*> {};

TEST_P(Recorded, IsDecodedCompletely) {
  const std::string path = places::source("captures/tests/data/") + GetParam();
  std::FILE* const file = std::fopen(path.c_str(), "rb");
  ASSERT_NE(file, nullptr) << path;
  Told told;
  Capture::open(file)->decode(deployed(), {}, told.sink());
  EXPECT_THAT(told.findings(), IsEmpty());
  EXPECT_THAT(told.lines(), Contains("c1 #7 LIST reply"));
  EXPECT_THAT(told.lines(), Contains("c1 #8 PUBLISH request, no reply"));
  EXPECT_THAT(told.lines(), Contains("c2 DELIVERY push before #0"));
  EXPECT_THAT(told.lines(), Contains("c2 #2 WHOAMI reply"));
  EXPECT_THAT(told.lines(), Contains("c1 #9 PURGE reply"));
  EXPECT_THAT(told.lines(), Contains("c1 closed: the client closed the connection"));
}

INSTANTIATE_TEST_SUITE_P(Rows, Recorded,
                         testing::Values("ethernet-ipv4.pcap", "ethernet-ipv6.pcap", "cooked.pcap",
                                         "ethernet-ipv4.pcapng"),
                         [](const auto& row) {
                           std::string name = row.param;
                           std::ranges::replace_if(
                               name, [](char c) { return c == '-' || c == '.'; }, '_');
                           return name;
                         });

}  // namespace
}  // namespace hallmark::captures
