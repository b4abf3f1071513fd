#include "captures/datagram_table.hpp"

#include <gmock/gmock.h>
#include <pcap/dlt.h>

#include "captures/tests/packets.hpp"

namespace hallmark::captures {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;

class Datagrams {
 public:
  explicit Datagrams(bool v6 = false) : v6_(v6) {}

  Datagrams& client(std::string_view text, std::uint16_t port = 40'000) {
    return add(port, 2000, text, true);
  }
  Datagrams& server(std::string_view text, std::uint16_t port = 40'000) {
    return add(2000, port, text, false);
  }
  Datagrams& cut(std::size_t bytes) {
    frames_.back().cut = bytes;
    return *this;
  }

  std::vector<std::string> told(std::uint16_t port = 0) {
    Told told;
    summary = opened(capture_file(Container::pcap_ns, DLT_EN10MB, frames_))
                  .decode(limiter(), {.port = port}, told.sink());
    return told.lines();
  }

  CaptureSummary summary;

 private:
  Datagrams& add(std::uint16_t from, std::uint16_t to, std::string_view text, bool forth) {
    const Bytes datagram = udp_datagram(from, to, base::as_bytes(text));
    const Bytes packet = v6_ ? in_ipv6(datagram, forth, false, Carrier::udp)
                             : in_ipv4(datagram, forth, Carrier::udp);
    frames_.push_back(
        {in_frame(DLT_EN10MB, packet), std::chrono::milliseconds(frames_.size() + 1)});
    return *this;
  }

  bool v6_;
  std::vector<Frame> frames_;
};

TEST(DatagramTable, RequestsAndRepliesOfACapture) {
  Datagrams datagrams;
  EXPECT_THAT(datagrams.client("1 ping").server("1 pong").told(),
              ElementsAre("c1 opened 10.0.0.1:40000 -> 10.0.0.2:2000 by decoding",
                          "c1 #1 ping request", "c1 #1 ping reply", "c1 closed: the capture ends"));
  EXPECT_EQ(datagrams.summary.segments, 2U);
  EXPECT_EQ(datagrams.summary.payload, 12U);
}

TEST(DatagramTable, OverIpv6) {
  EXPECT_THAT(Datagrams(true).client("1 ping").server("1 pong").told(2000),
              ElementsAre("c1 opened [fd00::1]:40000 -> [fd00::2]:2000 by port",
                          "c1 #1 ping request", "c1 #1 ping reply", "c1 closed: the capture ends"));
}

TEST(DatagramTable, TheSenderOfAReplyIsTheServer) {
  EXPECT_THAT(Datagrams().server("pong").told(),
              Contains("c1 opened 10.0.0.1:40000 -> 10.0.0.2:2000 by decoding"));
}

TEST(DatagramTable, EndpointsAreApart) {
  const auto lines =
      Datagrams().client("1 ping", 1).client("1 get_size", 2).server("1 pong", 1).told(2000);
  EXPECT_THAT(lines, Contains("c1 #1 ping reply"));
  EXPECT_THAT(lines, Contains(HasSubstr("c2 ! unanswered client 0+10 #1")));
}

TEST(DatagramTable, OtherProtocolsAreLeftOut) {
  Datagrams datagrams;
  EXPECT_THAT(datagrams.client("\x12\x34 a query").told(), testing::IsEmpty());
  EXPECT_EQ(datagrams.summary.other_ports, 1U);
  EXPECT_THAT(datagrams.told(2000), Contains(HasSubstr("! malformed client")));
}

TEST(DatagramTable, ADatagramThatTheCaptureCutIsMissing) {
  const std::string request = "1 over_limit " + std::string(40, 'k');
  EXPECT_THAT(
      Datagrams().client(request).cut(3).told(2000),
      Contains(HasSubstr("c1 ! missing client 0+53: the capture holds 50 of the 53 bytes")));
}

}  // namespace
}  // namespace hallmark::captures
