#include "captures/segment.hpp"

#include <gmock/gmock.h>
#include <pcap/dlt.h>

#include "captures/tests/packets.hpp"

namespace hallmark::captures {
namespace {

const Bytes payload = hex("0203616263");
const TcpHeader header{40'000, 9000, 0xfffffff0, 7, ack | fin};

FramePayload found_in(int link_type, const Bytes& frame, std::size_t cut = 0) {
  return segment_in(link_type, ByteView(frame).first(frame.size() - cut), frame.size());
}

struct Link {
  const char* name;
  int type;
  bool v6;
};

void PrintTo(const Link& link, std::ostream* out) { *out << link.name; }

class EveryLink : public testing::TestWithParam<Link> {
 protected:
  Bytes frame() const {
    const auto& [name, type, v6] = GetParam();
    const Bytes segment = tcp_segment(header, payload);
    return in_frame(type, v6 ? in_ipv6(segment, true) : in_ipv4(segment, true));
  }
};

TEST_P(EveryLink, TheSegmentIsFound) {
  const Bytes bytes = frame();
  const auto found = found_in(GetParam().type, bytes);
  const auto* const segment = std::get_if<Segment>(&found);
  ASSERT_NE(segment, nullptr);
  const bool v6 = GetParam().v6;
  EXPECT_EQ(to_string(segment->from), v6 ? "[fd00::1]:40000" : "10.0.0.1:40000");
  EXPECT_EQ(to_string(segment->to), v6 ? "[fd00::2]:9000" : "10.0.0.2:9000");
  EXPECT_EQ(segment->sequence, 0xfffffff0);
  EXPECT_EQ(segment->acknowledged, 7U);
  EXPECT_TRUE(segment->ack && segment->fin);
  EXPECT_FALSE(segment->syn || segment->rst);
  EXPECT_EQ(segment->length, payload.size());
  EXPECT_TRUE(std::ranges::equal(segment->payload, payload)) << "padding is no payload";
}

/// A heap buffer of the exact size lets the address sanitizer see every overrun.
TEST_P(EveryLink, EveryCutIsSurvived) {
  const Bytes whole = frame();
  for (std::size_t size = 0; size < whole.size(); ++size) {
    const Bytes cut(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size));
    const auto found = segment_in(GetParam().type, cut, whole.size());
    if (const auto* segment = std::get_if<Segment>(&found)) {
      EXPECT_EQ(segment->length, payload.size());
      EXPECT_LE(segment->payload.size(), segment->length);
    } else {
      EXPECT_EQ(std::get<NoSegment>(found), NoSegment::broken) << size;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    Rows, EveryLink,
    testing::Values(Link{"Ethernet4", DLT_EN10MB, false}, Link{"Ethernet6", DLT_EN10MB, true},
                    Link{"Cooked4", DLT_LINUX_SLL, false}, Link{"Cooked6", DLT_LINUX_SLL, true},
                    Link{"CookedV2", DLT_LINUX_SLL2, false},
                    Link{"CookedV2Over6", DLT_LINUX_SLL2, true}, Link{"Null4", DLT_NULL, false},
                    Link{"Null6", DLT_NULL, true}, Link{"Loop4", DLT_LOOP, false},
                    Link{"Raw4", DLT_RAW, false}, Link{"Raw6", DLT_RAW, true},
                    Link{"Ipv4", DLT_IPV4, false}, Link{"Ipv6", DLT_IPV6, true}),
    [](const auto& row) { return std::string(row.param.name); });

TEST(Segment, BehindVlanTags) {
  const auto found =
      found_in(DLT_EN10MB, in_vlan_frame(in_ipv4(tcp_segment(header, payload), true)));
  ASSERT_TRUE(std::holds_alternative<Segment>(found));
  EXPECT_EQ(std::get<Segment>(found).length, payload.size());
}

TEST(Segment, BehindExtensionHeaders) {
  const auto found = found_in(DLT_RAW, in_ipv6(tcp_segment(header, payload), true, true));
  ASSERT_TRUE(std::holds_alternative<Segment>(found));
  EXPECT_EQ(std::get<Segment>(found).length, payload.size());
}

TEST(Segment, CutByTheCaptureKeepsItsLength) {
  const Bytes frame = in_frame(DLT_RAW, in_ipv4(tcp_segment(header, payload), true));
  const auto found = found_in(DLT_RAW, frame, 2);
  EXPECT_EQ(std::get<Segment>(found).length, 5U);
  EXPECT_EQ(std::get<Segment>(found).payload.size(), 3U);
}

TEST(Segment, OffloadedWithoutALengthOfIp) {
  Bytes packet = in_ipv4(tcp_segment(header, payload), true);
  packet[2] = packet[3] = 0;
  EXPECT_EQ(std::get<Segment>(found_in(DLT_RAW, packet)).length, payload.size());
}

struct Passed {
  const char* name;
  NoSegment why;
  void (*spoil)(Bytes& packet);
};

void PrintTo(const Passed& passed, std::ostream* out) { *out << passed.name; }

class PassedOver : public testing::TestWithParam<Passed> {};

TEST_P(PassedOver, SaysWhy) {
  Bytes packet = in_ipv4(tcp_segment(header, payload), true);
  GetParam().spoil(packet);
  EXPECT_EQ(std::get<NoSegment>(found_in(DLT_RAW, packet)), GetParam().why);
}

INSTANTIATE_TEST_SUITE_P(
    Rows, PassedOver,
    testing::Values(
        Passed{"Udp", NoSegment::other, [](Bytes& packet) { packet[9] = 17; }},
        Passed{"NoIp", NoSegment::other, [](Bytes& packet) { packet[0] = 0x55; }},
        Passed{"FirstFragment", NoSegment::fragment, [](Bytes& packet) { packet[6] = 0x20; }},
        Passed{"LaterFragment", NoSegment::fragment, [](Bytes& packet) { packet[7] = 9; }},
        Passed{"ShortIpHeader", NoSegment::broken, [](Bytes& packet) { packet[0] = 0x44; }},
        Passed{"IpBeyondTheFrame", NoSegment::broken, [](Bytes& packet) { packet[2] = 0xff; }},
        Passed{"ShortTcpHeader", NoSegment::broken, [](Bytes& packet) { packet[32] = 0x40; }},
        Passed{"TcpBeyondTheFrame", NoSegment::broken, [](Bytes& packet) { packet[32] = 0xf0; }}),
    [](const auto& row) { return std::string(row.param.name); });

TEST(Segment, OtherEthertypesArePassedOver) {
  EXPECT_EQ(std::get<NoSegment>(found_in(DLT_EN10MB, hex("020000000001020000000002 0806 0001"))),
            NoSegment::other);
}

}  // namespace
}  // namespace hallmark::captures
