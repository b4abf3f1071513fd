#include "captures/connection_table.hpp"

#include <gmock/gmock.h>

#include "captures/tests/packets.hpp"

namespace hallmark::captures {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

Segment from_client(std::uint16_t port, bool begins, const Bytes& payload = {}) {
  Segment segment;
  segment.from.port = port;
  segment.to.port = 9000;
  segment.sequence = begins ? 99 : 100;
  segment.syn = begins;
  segment.ack = !begins;
  segment.payload = payload;
  segment.length = payload.size();
  return segment;
}

TEST(ConnectionTable, TheOneThatWasSilentForLongestMakesRoom) {
  Told told;
  ConnectionTable table(deployed(), 0, 2, told.sink());
  table.add(from_client(1, true), Time(1));
  table.add(from_client(2, true), Time(2));
  table.add(from_client(1, false), Time(3));
  table.add(from_client(3, true), Time(4));
  EXPECT_THAT(told.lines(),
              ElementsAre("c1 opened 0.0.0.0:1 -> 0.0.0.0:9000 by handshake",
                          "c2 opened 0.0.0.0:2 -> 0.0.0.0:9000 by handshake",
                          "c2 closed: it was given up: more than 2 connections at the same time",
                          "c3 opened 0.0.0.0:3 -> 0.0.0.0:9000 by handshake"));
}

TEST(ConnectionTable, AcknowledgementsAloneBeginNothing) {
  Told told;
  ConnectionTable table(deployed(), 0, 2, told.sink());
  table.add(from_client(1, false), Time(1));
  table.finish();
  EXPECT_THAT(told.lines(), IsEmpty());
}

TEST(ConnectionTable, FinishGoesByNumber) {
  Told told;
  ConnectionTable table(deployed(), 0, 9, told.sink());
  table.add(from_client(1, true), Time(1));
  table.add(from_client(2, true), Time(2));
  table.add(from_client(1, false, hex("02")), Time(3));
  table.finish();
  EXPECT_THAT(told.lines().back(), "c2 closed: the capture ends");
  EXPECT_THAT(told.findings(), ElementsAre("! truncated client 0+1"));
}

TEST(ConnectionTable, ASynSentAgainIsTheSameConnection) {
  Told told;
  ConnectionTable table(deployed(), 0, 9, told.sink());
  table.add(from_client(1, true), Time(1));
  table.add(from_client(1, true), Time(2));
  EXPECT_THAT(told.lines(), ElementsAre("c1 opened 0.0.0.0:1 -> 0.0.0.0:9000 by handshake"));
}

}  // namespace
}  // namespace hallmark::captures
