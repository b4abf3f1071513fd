#include "conformance/drivers/datagram/supervised_datagrams.hpp"

#include <gtest/gtest.h>

namespace hallmark::conformance {
namespace {

constexpr Time second = 1'000'000'000;

/// Takes datagrams at once, and answers them when half a second is over.
const base::ExecEndpoint starts_late{
    R"(/usr/bin/python3 -S -E -c '
import socket, time
target = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
target.bind(("127.0.0.1", {port}))
time.sleep(0.5)
while True:
    datagram, sender = target.recvfrom(100)
    target.sendto(datagram, sender)
')"};

DatagramArrival ping(SupervisedDatagrams& target, Time patience) {
  auto link = target.open();
  if (!link) return DatagramArrival::refused;
  (*link)->send(base::as_bytes("1 ping"));
  base::Bytes reply;
  return (*link)->receive(reply, target.now() + patience);
}

TEST(SupervisedDatagrams, OneThatIsStartedAgainIsWaitedForUntilItServes) {
  const auto target = SupervisedDatagrams::start(starts_late, second);
  ASSERT_TRUE(target) << target.error();
  ASSERT_EQ(ping(**target, 60 * second), DatagramArrival::datagram);
  const Time begun = (*target)->now();
  ASSERT_TRUE((*target)->supervisor()->renew());
  EXPECT_GE((*target)->now() - begun, second / 2);
  EXPECT_EQ(ping(**target, 60 * second), DatagramArrival::datagram);
}

}  // namespace
}  // namespace hallmark::conformance
