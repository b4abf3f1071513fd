#include "loadgen/results/stages.hpp"
#include "base/descriptor.hpp"

#include <arpa/inet.h>
#include <gmock/gmock.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>

#include <array>
#include <thread>

#include "loadgen/client/socket_times.hpp"
#include "loadgen/engine/poller.hpp"

namespace hallmark::loadgen {
namespace {

TEST(SendTimes, ANoteIsOfAllRequestsThatEndByItsByte) {
  SendTimes times;
  times.push(10);
  times.push(5);
  times.push(7);
  times.sent(13, 100);  // the second ends with byte 14
  EXPECT_EQ(times.at(0), 100);
  EXPECT_EQ(times.at(1), SendTimes::unknown);
  times.sent(14, 200);
  EXPECT_EQ(times.at(0), 100);
  EXPECT_EQ(times.at(1), 200);
  EXPECT_EQ(times.at(2), SendTimes::unknown);
  times.pop(1);
  times.pop(1);
  times.sent(21, 300);
  EXPECT_EQ(times.at(0), 300);
}

TEST(SendTimes, PositionsPassTheirLargest) {
  SendTimes times;
  times.push(UINT32_MAX - 3);
  times.push(10);
  times.sent(UINT32_MAX - 4, 1);
  EXPECT_EQ(times.at(0), 1);
  EXPECT_EQ(times.at(1), SendTimes::unknown);
  times.sent(5, 2);  // 2^32 - 3 + 10 - 1, modulo 2^32
  EXPECT_EQ(times.at(1), 2);
}

/// Both ends of a TCP connection.
struct Pair {
  Pair() {
    const base::Descriptor listener(::socket(AF_INET, SOCK_STREAM, 0));
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    auto* const generic = reinterpret_cast<sockaddr*>(&address);
    EXPECT_EQ(::bind(listener.get(), generic, size), 0);
    EXPECT_EQ(::listen(listener.get(), 1), 0);
    EXPECT_EQ(::getsockname(listener.get(), generic, &size), 0);
    near = base::Descriptor(::socket(AF_INET, SOCK_STREAM, 0));
    EXPECT_EQ(::connect(near.get(), generic, size), 0);
    far = base::Descriptor(::accept(listener.get(), nullptr, nullptr));
  }
  base::Descriptor near;
  base::Descriptor far;
};

void wait_for(int socket, short events) {
  pollfd one{socket, events, 0};
  ASSERT_EQ(::poll(&one, 1, 5'000), 1);
}

// The order of the stages rests on this: the times of the kernel lie between ours.
TEST(SocketTimes, ThoseOfTheKernelLieBetweenWriteAndRead) {
  const Pair pair;
  ASSERT_TRUE(ask_for_times(pair.near.get()));
  const auto steady = [] {
    return std::chrono::nanoseconds(std::chrono::steady_clock::now().time_since_epoch()).count();
  };
  const std::int64_t ahead = realtime_ahead();
  std::uint32_t last = 0;
  for (const std::size_t bytes : {10U, 25U}) {
    const std::int64_t before = steady();
    const std::array<std::uint8_t, 64> out{};
    ASSERT_EQ(::send(pair.near.get(), out.data(), bytes, 0), static_cast<ssize_t>(bytes));
    last += static_cast<std::uint32_t>(bytes);
    wait_for(pair.near.get(), 0);  // a note of the error queue
    const auto note = next_sent_note(pair.near.get());
    ASSERT_TRUE(note);
    EXPECT_EQ(note->last_byte, last - 1);
    EXPECT_GE(note->sent_ns - ahead, before - 100'000);
    EXPECT_LE(note->sent_ns - ahead, steady() + 100'000);
    EXPECT_FALSE(next_sent_note(pair.near.get()));
  }
  // The first message may have no stamp: the system starts to stamp a moment after it was asked to.
  TimedRead read;
  std::int64_t before = 0;
  for (int attempt = 0; attempt < 1'000 && read.received_ns < 0; ++attempt) {
    before = steady();
    ASSERT_EQ(::send(pair.far.get(), "abc", 3, 0), 3);
    wait_for(pair.near.get(), POLLIN);
    std::array<std::uint8_t, 16> in{};
    read = read_with_time(pair.near.get(), in);
  }
  EXPECT_EQ(read.bytes, 3);
  EXPECT_GE(read.received_ns - ahead, before - 100'000);
  EXPECT_LE(read.received_ns - ahead, steady() + 100'000);
  EXPECT_TRUE(tcp_state(pair.near.get()));
}

TEST(SocketTimes, AUnixSocketHasNone) {
  std::array<int, 2> both{};
  ASSERT_EQ(::socketpair(AF_UNIX, SOCK_STREAM, 0, both.data()), 0);
  const base::Descriptor near(both[0]);
  const base::Descriptor far(both[1]);
  EXPECT_FALSE(ask_for_times(near.get()));
  EXPECT_FALSE(tcp_state(near.get()));
}

}  // namespace
}  // namespace hallmark::loadgen
