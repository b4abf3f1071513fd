// A target that answers QUERY after a delay drawn from a known distribution, and writes down the
// delays that it realised: what a load generator measures can be held against them.
//
// Usage: hallmark_delaying_responder DISTRIBUTION REPLY_BYTES REQUEST_BYTES
//   DISTRIBUTION: none; constant:NS; bimodal:NS,NS,SHARE (of the second);
//   lognormal:MEDIAN_NS,SIGMA;
//                 stall:AFTER_MS,FOR_MS (nothing is answered in that time, everything after it)
// Prints `listening on PORT`; at the end of its input the quantiles as JSON. Delays count from when
// a request came to the system (SO_TIMESTAMPING) to when its reply was written: the times in which
// this process has no processor are part of them. A reply never overtakes one before it on its
// connection. It spins: a core is its own.
#include <fcntl.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <boost/math/special_functions/erf.hpp>
#include <cmath>
#include <cstdlib>
#include <deque>
#include <numbers>
#include <queue>
#include <sstream>
#include <string>
#include <vector>

#include "base/descriptor.hpp"
#include "base/nanoseconds.hpp"
#include "base/number.hpp"
#include "loadgen/arrivals/random_stream.hpp"
#include "loadgen/client/process.hpp"
#include "loadgen/client/socket_times.hpp"
#include "loadgen/engine/poller.hpp"

namespace hallmark::loadgen {
namespace {

std::int64_t now() {
  timespec time{};
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * base::second_ns + time.tv_nsec;
}

class Delays {
 public:
  explicit Delays(const std::string& text) {
    name_ = text.substr(0, text.find(':'));
    std::istringstream rest(text.size() > name_.size() ? text.substr(name_.size() + 1) : "");
    for (std::string one; std::getline(rest, one, ',');)
      numbers_.push_back(base::number_in<double>(one).value_or(0));
  }

  /// When to answer what came at `came_ns`; `begun_ns`: when the first request came.
  std::int64_t due(std::int64_t came_ns, std::int64_t begun_ns) {
    const double unit = random_.unit_at(drawn_++);
    if (name_ == "constant") return came_ns + static_cast<std::int64_t>(numbers_[0]);
    if (name_ == "bimodal")
      return came_ns + static_cast<std::int64_t>(numbers_[unit < numbers_[2] ? 1 : 0]);
    if (name_ == "lognormal") {
      const double deviation =
          std::numbers::sqrt2 * boost::math::erf_inv(2 * (unit * 0.999999) - 1);
      return came_ns + static_cast<std::int64_t>(numbers_[0] * std::exp(numbers_[1] * deviation));
    }
    if (name_ == "stall") {
      const auto from = begun_ns + static_cast<std::int64_t>(numbers_[0] * 1e6);
      const auto until = from + static_cast<std::int64_t>(numbers_[1] * 1e6);
      if (came_ns >= from && came_ns < until) return until;
    }
    return came_ns;
  }

 private:
  std::string name_;
  std::vector<double> numbers_;
  base::CounterRandom random_{7, RandomStream::value};
  std::uint64_t drawn_ = 0;
};

struct Reply {
  std::int64_t due_ns;
  std::int64_t came_ns;
  std::uint64_t number;
  int socket;
  bool operator>(const Reply& other) const {
    return std::pair(due_ns, number) > std::pair(other.due_ns, other.number);
  }
};

struct Peer {
  std::size_t partial = 0;       ///< bytes of a request that is not whole
  std::int64_t last_due_ns = 0;  ///< no reply before it
};

void print_quantiles(std::vector<std::int64_t> delays) {
  std::ranges::sort(delays);
  const auto at = [&](double q) -> std::int64_t {
    if (delays.empty()) return 0;
    const auto rank = static_cast<std::size_t>(std::ceil(q * static_cast<double>(delays.size())));
    return delays[std::min(std::max<std::size_t>(rank, 1), delays.size()) - 1];
  };
  fmt::print(
      "{{\"count\":{},\"p50\":{},\"p90\":{},\"p99\":{},\"p99_9\":{},\"p99_99\":{},\"max\":{}}}\n",
      delays.size(), at(0.5), at(0.9), at(0.99), at(0.999), at(0.9999), at(1));
}

int serve(Delays delays, std::size_t reply_bytes, std::size_t request_bytes) {
  const base::Descriptor listener(::socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  auto* const generic = reinterpret_cast<sockaddr*>(&address);
  if (::bind(listener.get(), generic, size) != 0 || ::listen(listener.get(), 1024) != 0) return 3;
  ::getsockname(listener.get(), generic, &size);
  fmt::print("listening on {}\n", ntohs(address.sin_port));
  std::fflush(stdout);
  Poller poller;
  poller.add(listener.get(), static_cast<std::uint32_t>(listener.get()));
  poller.add(STDIN_FILENO, STDIN_FILENO);
  std::vector<Peer> peers(65'536);
  std::priority_queue<Reply, std::vector<Reply>, std::greater<>> waiting;
  std::vector<std::int64_t> realised;
  realised.reserve(10'000'000);
  // Status 1, and of a QUERY what lies in the bounds that a client knows: zeros.
  const std::vector<std::uint8_t> reply = [&] {
    std::vector<std::uint8_t> bytes(reply_bytes, 0);
    bytes[0] = 1;
    bytes[reply_bytes > 4 ? 3 : 0] = reply_bytes > 4 ? 6 : 1;  // hours
    return bytes;
  }();
  std::array<std::uint8_t, 65'536> buffer{};
  std::int64_t begun = 0;
  std::uint64_t number = 0;
  be_punctual();
  for (;;) {
    for (const epoll_event& event : poller.wait(0)) {
      const int fd = static_cast<int>(event.data.u32);
      if (fd == STDIN_FILENO) {
        if (::read(fd, buffer.data(), buffer.size()) > 0) continue;
        print_quantiles(std::move(realised));
        return 0;
      }
      if (fd == listener.get()) {
        const int peer = ::accept4(fd, nullptr, nullptr, SOCK_NONBLOCK);
        if (peer < 0) continue;
        const int on = 1;
        ::setsockopt(peer, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
        ask_for_receive_times(peer);
        poller.add(peer, static_cast<std::uint32_t>(peer));
        peers[static_cast<std::size_t>(peer)] = {};
        continue;
      }
      const TimedRead read = read_with_time(fd, buffer);
      if (read.bytes <= 0) {
        poller.remove(fd);
        ::close(fd);
        continue;
      }
      const std::int64_t came_ns =
          read.received_ns < 0 ? now() : read.received_ns - realtime_ahead();
      Peer& peer = peers[static_cast<std::size_t>(fd)];
      peer.partial += static_cast<std::size_t>(read.bytes);
      for (; peer.partial >= request_bytes; peer.partial -= request_bytes) {
        if (begun == 0) begun = came_ns;
        peer.last_due_ns = std::max(peer.last_due_ns, delays.due(came_ns, begun));
        waiting.push({peer.last_due_ns, came_ns, number++, fd});
      }
    }
    while (!waiting.empty() && waiting.top().due_ns <= now()) {
      const Reply one = waiting.top();
      waiting.pop();
      const std::int64_t sent_ns = now();
      if (::send(one.socket, reply.data(), reply.size(), MSG_NOSIGNAL) < 0) continue;
      realised.push_back(sent_ns - one.came_ns);
    }
  }
}

}  // namespace
}  // namespace hallmark::loadgen

int main(int count, char** arguments) {
  if (count != 4) {
    fmt::print(stderr,
               "usage: hallmark_delaying_responder DISTRIBUTION REPLY_BYTES REQUEST_BYTES\n");
    return 2;
  }
  return hallmark::loadgen::serve(hallmark::loadgen::Delays(arguments[1]),
                                  static_cast<std::size_t>(std::atoi(arguments[2])),
                                  static_cast<std::size_t>(std::atoi(arguments[3])));
}
