#include "pcapng/frames.hpp"

#include <gmock/gmock.h>

#include "pcapng/tests/captured.hpp"

namespace hallmark::pcapng {
namespace {

using base::Bytes;
using base::ByteView;
using test::rest_of_checksum;
using testing::ElementsAre;

constexpr std::size_t ethernet = 14;
const Bytes payload = {0x02, 0x03, 'a', 'b', 'c'};

Address ipv6(std::uint8_t last, std::uint16_t port) {
  Address address;
  address.v6 = true;
  address.ip[0] = 0xfd;
  address.ip[15] = last;
  address.port = port;
  return address;
}

std::uint32_t sum_16(ByteView bytes) {
  std::uint32_t sum = 0;
  for (std::size_t i = 0; i + 1 < bytes.size(); i += 2)
    sum += std::uint32_t{bytes[i]} << 8 | bytes[i + 1];
  return sum;
}

TEST(Frames, ChecksumsOfTcpOverIpv4AreRight) {
  const Bytes frame =
      tcp_frame(loopback(40'000), loopback(9000), {.sequence = 7, .ack = true}, payload);
  const ByteView ip = ByteView(frame).subspan(ethernet);
  EXPECT_EQ(rest_of_checksum(ip.first(20)), 0);
  const ByteView segment = ip.subspan(20);
  ASSERT_EQ(segment.size(), 20 + payload.size());
  EXPECT_EQ(rest_of_checksum(segment, sum_16(ip.subspan(12, 8)) + 6 +
                                          static_cast<std::uint32_t>(segment.size())),
            0);
}

TEST(Frames, ChecksumsOfUdpOverIpv6AreRight) {
  const Bytes frame = udp_frame(ipv6(1, 40'000), ipv6(2, 2000), payload);
  const ByteView ip = ByteView(frame).subspan(ethernet);
  const ByteView segment = ip.subspan(40);
  ASSERT_EQ(segment.size(), 8 + payload.size());
  EXPECT_EQ(rest_of_checksum(segment, sum_16(ip.subspan(8, 32)) + 17 +
                                          static_cast<std::uint32_t>(segment.size())),
            0);
}

TEST(Frames, AddressesOfTwoFamiliesBecomeIpv6) {
  Address a = loopback(1), b = ipv6(1, 2);
  make_alike(a, b);
  EXPECT_TRUE(a.v6);
  EXPECT_THAT(ByteView(a.ip).last(6), ElementsAre(0xff, 0xff, 127, 0, 0, 1));
}

TEST(Frames, LoopbackAddressesCountUp) {
  EXPECT_THAT(ByteView(loopback(1, 256).ip).first(4), ElementsAre(127, 0, 1, 1));
}

}  // namespace
}  // namespace hallmark::pcapng
