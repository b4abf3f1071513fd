#include "pcapng/flow.hpp"

#include <gmock/gmock.h>

#include "base/tests/temporary_directory.hpp"
#include "pcapng/tests/captured.hpp"

namespace hallmark::pcapng {
namespace {

using base::Bytes;
using base::ByteView;
using testing::ElementsAre;

constexpr std::size_t tcp_at = 14 + 20;
enum : std::uint8_t { fin = 0x01, syn = 0x02, psh = 0x08, ack = 0x10 };

struct Segment {
  std::uint16_t from;
  std::uint32_t sequence, acknowledged;
  std::uint8_t flags;
  std::size_t length;
  bool operator==(const Segment&) const = default;
};

std::uint32_t number_at(const Bytes& frame, std::size_t at, std::size_t size) {
  std::uint32_t number = 0;
  for (std::size_t i = 0; i < size; ++i) number = number << 8 | frame[at + i];
  return number;
}

class Flow : public testing::Test {
 protected:
  std::vector<Segment> segments() {
    EXPECT_TRUE(writer_.commit());
    std::vector<Segment> all;
    for (const auto& [at, frame] : test::packets_in(path_)) {
      all.push_back({static_cast<std::uint16_t>(number_at(frame, tcp_at, 2)),
                     number_at(frame, tcp_at + 4, 4), number_at(frame, tcp_at + 8, 4),
                     frame[tcp_at + 13], frame.size() - tcp_at - 20});
    }
    return all;
  }

  base::test::TemporaryDirectory directory_;
  std::string path_ = directory_.path() / "flow.pcapng";
  Writer writer_ = *Writer::create(path_, "test");
  TcpFlow flow_{loopback(40'000), loopback(9000)};
  Time at_{1'700'000'000'000'000'123};
};

TEST_F(Flow, SequenceNumbersFollowWhatWasSent) {
  flow_.open(writer_, at_);
  flow_.send(writer_, Side::client, at_, Bytes(5));
  flow_.send(writer_, Side::server, at_, Bytes(1));
  flow_.finish(writer_, Side::client, at_);
  flow_.finish(writer_, Side::server, at_);
  EXPECT_THAT(segments(),
              ElementsAre(Segment{40'000, 0, 0, syn, 0}, Segment{9000, 0, 1, syn | ack, 0},
                          Segment{40'000, 1, 1, ack, 0}, Segment{40'000, 1, 1, ack | psh, 5},
                          Segment{9000, 1, 6, ack | psh, 1}, Segment{40'000, 6, 2, ack | fin, 0},
                          Segment{9000, 2, 7, ack | fin, 0}));
}

TEST_F(Flow, BytesThatWereNotSeenLeaveAGap) {
  flow_.send(writer_, Side::client, at_, Bytes(5));
  flow_.skip(Side::client, 100);
  flow_.send(writer_, Side::client, at_, Bytes(5));
  EXPECT_THAT(segments(), ElementsAre(Segment{40'000, 1, 1, ack | psh, 5},
                                      Segment{40'000, 106, 1, ack | psh, 5}));
}

TEST_F(Flow, LongBytesAreSeveralPackets) {
  flow_.send(writer_, Side::client, at_, Bytes(32'769), "only once");
  EXPECT_THAT(segments(), ElementsAre(Segment{40'000, 1, 1, ack, 32'768},
                                      Segment{40'000, 32'769, 1, ack | psh, 1}));
  const std::string file = directory_.read("flow.pcapng");
  EXPECT_NE(file.find("only once"), std::string::npos);
  EXPECT_EQ(file.find("only once"), file.rfind("only once"));
}

}  // namespace
}  // namespace hallmark::pcapng
