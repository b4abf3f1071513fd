#include <gmock/gmock.h>
#include <pcap/dlt.h>

#include <random>

#include "base/base64.hpp"
#include "captures/conversation.hpp"
#include "captures/sequence.hpp"
#include "captures/tests/packets.hpp"
#include "protocol/dialects.hpp"

/// Whatever the bytes: no crash, no endless loop, and an end to everything that was begun.
namespace hallmark::captures {
namespace {

constexpr int rounds = 300;

class Random : public testing::TestWithParam<unsigned> {
 protected:
  std::size_t up_to(std::size_t most) { return random_() % (most + 1); }
  Bytes bytes(std::size_t most) {
    Bytes bytes(up_to(most));
    // Small numbers are opcodes, statuses and sizes: they get farther.
    for (auto& byte : bytes) byte = static_cast<std::uint8_t>(random_() % (up_to(9) < 7 ? 8 : 256));
    return bytes;
  }
  void spoil(Bytes& bytes, std::size_t most) {
    for (std::size_t i = up_to(most); i > 0 && !bytes.empty(); --i) {
      bytes[up_to(bytes.size() - 1)] = static_cast<std::uint8_t>(random_());
    }
  }

  std::mt19937 random_{GetParam()};
};

const Sink nobody = [](const Event& event) { in_short(event); };

TEST_P(Random, BytesAsMessages) {
  std::vector<const protocol::Operation*> operations;
  for (const auto& operation : protocol::throttr_7_1.operations) operations.push_back(&operation);
  for (int i = 0; i < rounds; ++i) {
    const Bytes some = bytes(200);
    decode_requests(deployed(), {}, some, nobody);
    std::ranges::shuffle(operations, random_);
    decode_replies(i % 2 == 0 ? deployed() : literal(), operations, some, nobody);
    decode_pushes(deployed(), nullptr, some, nobody);
  }
}

TEST_P(Random, ChunksAsAConversation) {
  for (int i = 0; i < rounds; ++i) {
    std::size_t requests = 0, settled = 0;
    Conversation conversation(
        i % 2 == 0 ? deployed() : literal(), 1, i % 3 == 0 ? Origin::within : Origin::beginning,
        [&](const Event& event) {
          if (const auto* request = std::get_if<Request>(&event.what)) {
            ++requests;
            if (request->answered_under) ++settled;
          }
          const auto* finding = std::get_if<Finding>(&event.what);
          const bool of_request = finding != nullptr && finding->number > 0 &&
                                  finding->kind != FindingKind::unlisted &&
                                  finding->reason.find("zeros stand") == std::string::npos;
          if (std::holds_alternative<Reply>(event.what) || of_request) ++settled;
        });
    std::uint64_t sent[2] = {};
    for (std::size_t n = up_to(40); n > 0; --n) {
      const Side side = up_to(1) == 0 ? Side::client : Side::server;
      const std::size_t me = side == Side::client ? 0 : 1;
      const Bytes some = bytes(30);
      const std::uint64_t missing = some.empty() ? 1 + up_to(20) : 0;
      conversation.feed({side, some, missing, {Time(n), up_to(sent[1 - me])}});
      sent[me] += some.size() + missing;
    }
    conversation.end("the test ends");
    EXPECT_EQ(requests, settled) << "every request is answered or there is a reason";
  }
}

TEST_P(Random, SpoiledCaptures) {
  constexpr int links[] = {DLT_EN10MB, DLT_LINUX_SLL, DLT_LINUX_SLL2, DLT_RAW, DLT_NULL};
  constexpr Container containers[] = {Container::pcap, Container::pcap_ns, Container::pcapng,
                                      Container::pcap_big_endian};
  for (int i = 0; i < rounds; ++i) {
    Session session({.link_type = links[up_to(4)], .v6 = up_to(1) == 1});
    if (up_to(2) > 0) session.handshake();
    for (std::size_t n = up_to(20); n > 0; --n) {
      session.client("010700045a0003616263")
          .server("01")
          .client("0203616263")
          .server("010700045900");
    }
    auto& frames = session.frames();
    for (Frame& frame : frames) {
      if (up_to(9) == 0) spoil(frame.bytes, 3);
      if (up_to(9) == 0) frame.cut = up_to(frame.bytes.size());
    }
    if (up_to(1) == 0) std::ranges::shuffle(frames, random_);
    Bytes file = capture_file(containers[up_to(3)], session.link_type(), frames);
    Bytes body(file.begin() + 24, file.end());
    if (up_to(3) == 0) spoil(body, 5);
    std::ranges::copy(body, file.begin() + 24);
    if (up_to(3) == 0) file.resize(file.size() - up_to(file.size() - 24));
    if (file.size() < 48) continue;
    std::FILE* const stream = std::tmpfile();
    std::fwrite(file.data(), 1, file.size(), stream);
    std::rewind(stream);
    auto capture = Capture::open(stream);
    if (capture) capture->decode(deployed(), {}, nobody);
  }
}

TEST_P(Random, NoiseAsCaptures) {
  for (int i = 0; i < rounds; ++i) {
    Bytes file = capture_file(Container::pcap, DLT_RAW, {});
    const Bytes noise = bytes(500);
    file.insert(file.end(), noise.begin(), noise.end());
    std::FILE* const stream = std::tmpfile();
    std::fwrite(file.data(), 1, file.size(), stream);
    std::rewind(stream);
    auto capture = Capture::open(stream);
    if (capture) capture->decode(deployed(), {}, nobody);
  }
}

TEST_P(Random, TextAsInput) {
  constexpr std::string_view letters = "0123456789abcdefx\\ ,:\n><#+/=gZ";
  for (int i = 0; i < rounds; ++i) {
    std::string text(up_to(60), ' ');
    for (char& c : text) c = letters[up_to(letters.size() - 1)];
    const auto format = detect(text);
    if (!format) continue;
    const bool read = has_directions(text)          ? parse_directed_hex(text).has_value()
                      : *format == InputFormat::hex ? parse_hex(text).has_value()
                                                    : base::from_any_base64(text).has_value();
    EXPECT_TRUE(read || *format == InputFormat::hex) << text;
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, Random, testing::Range(1U, 5U));

}  // namespace
}  // namespace hallmark::captures
