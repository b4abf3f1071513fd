// Measures the cost of a client of datagrams that does nothing but its system calls. It has the
// constant rate that `hallmark load` is given, and as many sockets. It sends the very datagrams
// that `hallmark load` sends when they are due (sendmmsg), waits for the next or for replies
// (epoll), takes what has come (recvmmsg), and only counts it.
//
//   hallmark_bare_datagram_client TARGET SOCKETS RATE SECONDS
//
// Prints one line of JSON: requests sent, replies, seconds, and CPU seconds, user and system.
#include <fmt/format.h>
#include <sys/prctl.h>

#include <chrono>
#include <cstdlib>
#include <string>
#include <vector>

#include "base/number.hpp"
#include "loadgen/client/process.hpp"
#include "loadgen/drivers/datagram/requests.hpp"
#include "loadgen/drivers/datagram/socket.hpp"
#include "loadgen/engine/poller.hpp"
#include "protocol/dialects.hpp"

namespace {

using namespace hallmark;
using namespace hallmark::loadgen;
using Clock = std::chrono::steady_clock;

constexpr std::size_t frames_kept = 4096;
constexpr std::uint64_t first_id = 100'000'000'000;

template <class T>
T expect(base::Result<T> result) {
  if (result) return std::move(*result);
  fmt::print(stderr, "{}\n", result.error().message);
  std::exit(3);
}

/// Receives without looking for anything in what came.
class BareReceive {
 public:
  BareReceive() : bytes_(datagram::most_in_batch * datagram::most_datagram_bytes) {
    for (std::size_t i = 0; i < datagram::most_in_batch; ++i) {
      parts_[i] = {bytes_.data() + i * datagram::most_datagram_bytes,
                   datagram::most_datagram_bytes};
      messages_[i].msg_hdr.msg_iov = &parts_[i];
      messages_[i].msg_hdr.msg_iovlen = 1;
    }
  }
  int receive(int fd) {
    return recvmmsg(fd, messages_.data(), datagram::most_in_batch, MSG_DONTWAIT, nullptr);
  }

 private:
  std::vector<std::uint8_t> bytes_;
  std::array<iovec, datagram::most_in_batch> parts_{};
  std::array<mmsghdr, datagram::most_in_batch> messages_{};
};

class BareLoop {
 public:
  BareLoop(protocol::ByteBuffer frames, std::size_t frame, std::vector<datagram::Socket> sockets)
      : frames_(std::move(frames)),
        frame_(static_cast<std::uint16_t>(frame)),
        sizes_(datagram::most_in_batch, frame_),
        due_(sockets.size()),
        sockets_(std::move(sockets)) {
    for (std::uint32_t i = 0; i < sockets_.size(); ++i) {
      poller_.add(sockets_[i].descriptor.get(), i);
    }
  }

  void run(double rate, double seconds) {
    const auto start = Clock::now();
    const auto end_ns = static_cast<std::int64_t>(seconds * 1e9);
    const auto now = [&] { return (Clock::now() - start).count(); };
    const auto due_at = [&](std::uint64_t i) {
      return static_cast<std::int64_t>(static_cast<double>(i) * 1e9 / rate);
    };
    for (std::int64_t now_ns = 0; now_ns < end_ns; now_ns = now()) {
      for (; due_at(planned_) <= now_ns; ++planned_) ++due_[planned_ % due_.size()];
      for (std::size_t i = 0; i < due_.size(); ++i) send(i);
      const auto wait_ns = std::max<std::int64_t>(0, due_at(planned_) - now());
      for (const auto& event : poller_.wait(wait_ns)) read(event.data.u32);
    }
  }

  std::uint64_t sent() const { return sent_; }
  std::uint64_t received() const { return received_; }

 private:
  void send(std::size_t socket) {
    while (due_[socket] != 0) {
      const std::size_t count = std::min({due_[socket], frames_kept - next_, sizes_.size()});
      const int n = batch_.send(sockets_[socket].descriptor.get(), frames_.data() + next_ * frame_,
                                {sizes_.data(), count});
      if (n <= 0) {
        fmt::print(stderr, "sendmmsg failed\n");
        std::exit(3);
      }
      const auto done = static_cast<std::size_t>(n);
      next_ = (next_ + done) % frames_kept;
      due_[socket] -= done;
      sent_ += done;
    }
  }

  void read(std::uint32_t socket) {
    const int n = receiving_.receive(sockets_[socket].descriptor.get());
    if (n > 0) received_ += static_cast<std::uint64_t>(n);
  }

  protocol::ByteBuffer frames_;
  std::uint16_t frame_;
  std::vector<std::uint16_t> sizes_;
  std::vector<std::size_t> due_;
  std::vector<datagram::Socket> sockets_;
  Poller poller_;
  datagram::SendBatch batch_;
  BareReceive receiving_;
  std::size_t next_ = 0;
  std::uint64_t planned_ = 0;
  std::uint64_t sent_ = 0;
  std::uint64_t received_ = 0;
};

int run(const std::string& target, std::size_t count, double rate, double seconds) {
  const auto requests = expect(datagram::Requests::make(
      {protocol::ratelimit_udp, protocol::Profile::deployed}, "over_limit=1", 1,
      expect(datagram::Keys::make({.nonce = "0123456789"}))));
  protocol::ByteBuffer frames;
  std::size_t frame = 0;
  for (std::uint64_t i = 0; i < frames_kept; ++i) {
    frame = requests.append(frames, 0, requests.keys().key_of(i, 0), first_id + i);
  }
  const auto address = expect(
      datagram::resolve(std::get<base::UdpEndpoint>(expect(base::parse_endpoint<Target>(target)))));
  std::vector<datagram::Socket> sockets;
  for (std::size_t i = 0; i < count; ++i) {
    sockets.push_back(expect(datagram::connect(address, std::uint64_t{4} << 20)));
  }
  BareLoop loop{std::move(frames), frame, std::move(sockets)};
  prctl(PR_SET_TIMERSLACK, 1UL);
  const CpuTime before = cpu_time();
  loop.run(rate, seconds);
  const CpuTime after = cpu_time();
  fmt::print("{{\"sent\": {}, \"received\": {}, \"user\": {:.6f}, \"system\": {:.6f}}}\n",
             loop.sent(), loop.received(), after.user - before.user, after.system - before.system);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 5) {
    fmt::print(stderr, "usage: {} TARGET SOCKETS RATE SECONDS\n", argv[0]);
    return 2;
  }
  const auto sockets = base::number_in<std::uint64_t>(argv[2]);
  const auto rate = base::number_in<double>(argv[3]);
  const auto seconds = base::number_in<double>(argv[4]);
  if (!sockets || !rate || !seconds) {
    fmt::print(stderr, "{}: SOCKETS, RATE and SECONDS are numbers\n", argv[0]);
    return 2;
  }
  return run(argv[1], *sockets, *rate, *seconds);
}
