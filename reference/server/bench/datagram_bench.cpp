// What batching is worth: the datagram server beside a loop that makes two system calls for each
// datagram and otherwise does the same work (same session, rules and keys), under the same flood;
// in batches alone, and as `hallmark serve` runs it, with replies to one client merged.
// Each runs in a process of its own, one after the other; what the system says of the processes is
// printed, medians over the rounds.
//
// Usage: hallmark_datagram_bench [ROUNDS] [SECONDS]
#include <fcntl.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "reference/server/datagram_server.hpp"
#include "reference/server/datagram_socket.hpp"
#include "reference/server/server_clock.hpp"
#include "reference/session/datagram_session.hpp"

namespace {

using namespace hallmark;

constexpr int room = 8 << 20;
constexpr std::size_t batch = 64;
constexpr std::size_t in_flight = 4 * batch;
constexpr std::size_t different_keys = 1'000;

[[noreturn]] void give_up(const std::string& why) {
  fmt::print(stderr, "hallmark_datagram_bench: {}\n", why);
  std::exit(1);
}

server::Endpoint loopback() { return *server::parse_endpoint("udp://127.0.0.1:0"); }

server::DatagramSocket bound_socket() {
  auto bound = server::DatagramSocket::bind(loopback(), room);
  if (!bound) give_up(bound.error().message);
  return std::move(*bound);
}

void tell(int pipe, std::uint16_t port) {
  if (::write(pipe, &port, sizeof port) != sizeof port) give_up("the pipe is closed");
}

[[noreturn]] void serve_in_batches(int pipe, bool merges) {
  server::DatagramServer server;
  server::DatagramServerOptions options;
  options.merges_replies = merges;
  options.listen = {loopback()};
  options.receive_buffer_bytes = room;
  const auto started = server.start(options);
  if (!started) give_up(started.error().message);
  tell(pipe, server.endpoints().front().port);
  for (;;) ::pause();
}

[[noreturn]] void serve_merging(int pipe) { serve_in_batches(pipe, true); }
[[noreturn]] void serve_not_merging(int pipe) { serve_in_batches(pipe, false); }

[[noreturn]] void serve_one_by_one(int pipe) {
  const server::DatagramSocket socket = bound_socket();
  tell(pipe, socket.endpoint().port);
  // recvfrom waits.
  const int descriptor = socket.descriptor();
  ::fcntl(descriptor, F_SETFL, 0);
  const protocol::Readings readings(protocol::ratelimit_udp, protocol::Profile::deployed);
  model::RateLimiter limiter(protocol::ratelimit::example_rules(),
                             model::rate_behaviour_of(readings), 4'000'000);
  server::DatagramSession session(limiter, readings);
  const server::ServerClock clock;
  std::vector<std::uint8_t> bytes(session.most_bytes());
  protocol::ByteBuffer reply;
  for (;;) {
    sockaddr_storage from{};
    socklen_t from_size = sizeof from;
    auto* const address = reinterpret_cast<sockaddr*>(&from);
    const ssize_t size = ::recvfrom(descriptor, bytes.data(), bytes.size(), 0, address, &from_size);
    if (size < 0) continue;
    reply.clear();
    const base::ByteView datagram(bytes.data(), static_cast<std::size_t>(size));
    if (session.answer(datagram, clock.now(), reply) == 0) continue;
    ::sendto(descriptor, reply.data(), reply.size(), 0, address, from_size);
  }
}

/// A closed loop of over_limit requests, sent and received in batches.
class Flood {
 public:
  explicit Flood(std::uint16_t port) : socket_(bound_socket()) {
    ::fcntl(socket_.descriptor(), F_SETFL, 0);
    sockaddr_in server{};
    server.sin_family = AF_INET;
    server.sin_port = htons(port);
    server.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (::connect(socket_.descriptor(), reinterpret_cast<sockaddr*>(&server), sizeof server) != 0) {
      give_up("cannot connect to the server");
    }
    for (std::size_t i = 0; i < different_keys; ++i) {
      requests_.push_back(
          fmt::format("{} over_limit ws ip=10.0.{}.{}", 100'000 + i, i / 250, i % 250));
    }
  }

  /// Replies that came within that time.
  std::uint64_t run(std::chrono::duration<double> length) {
    const auto end = std::chrono::steady_clock::now() + length;
    std::uint64_t sent = 0;
    std::uint64_t received = 0;
    while (std::chrono::steady_clock::now() < end) {
      while (sent - received + batch <= in_flight) sent += send();
      received += receive();
    }
    while (received < sent) received += receive();
    return received;
  }

 private:
  std::uint64_t send() {
    for (std::size_t i = 0; i < batch; ++i) {
      std::string& request = requests_[next_++ % requests_.size()];
      parts_[i] = {request.data(), request.size()};
      point(i);
    }
    const int count = ::sendmmsg(socket_.descriptor(), messages_.data(), batch, 0);
    if (count < 0) give_up("cannot send");
    return static_cast<std::uint64_t>(count);
  }

  std::uint64_t receive() {
    for (std::size_t i = 0; i < batch; ++i) {
      parts_[i] = {replies_[i].data(), replies_[i].size()};
      point(i);
    }
    const int count =
        ::recvmmsg(socket_.descriptor(), messages_.data(), batch, MSG_WAITFORONE, nullptr);
    if (count < 0) give_up("cannot receive");
    for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) {
      const std::string_view reply(replies_[i].data(), messages_[i].msg_len);
      if (reply.find(" ok ") == std::string_view::npos) give_up("a reply is wrong");
    }
    return static_cast<std::uint64_t>(count);
  }

  void point(std::size_t i) {
    messages_[i].msg_hdr = {};
    messages_[i].msg_hdr.msg_iov = &parts_[i];
    messages_[i].msg_hdr.msg_iovlen = 1;
  }

  server::DatagramSocket socket_;
  std::vector<std::string> requests_;
  std::size_t next_ = 0;
  std::array<std::array<char, 128>, batch> replies_{};
  std::array<iovec, batch> parts_{};
  std::array<mmsghdr, batch> messages_{};
};

double seconds(const timeval& time) {
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
}

/// Of a server, in one round or as medians of several.
struct Sample {
  double requests_per_cpu_second = 0;
  double user_nanoseconds = 0;  ///< per request
  double kernel_nanoseconds = 0;
};

Sample measure(void (*serve)(int pipe), std::chrono::duration<double> length) {
  std::array<int, 2> pipe{};
  if (::pipe(pipe.data()) != 0) give_up("no pipe");
  const pid_t child = ::fork();
  if (child < 0) give_up("no process");
  if (child == 0) serve(pipe[1]);
  std::uint16_t port = 0;
  if (::read(pipe[0], &port, sizeof port) != sizeof port) give_up("the server did not start");
  const auto requests = static_cast<double>(Flood(port).run(length));
  ::kill(child, SIGKILL);
  rusage usage{};
  ::wait4(child, nullptr, 0, &usage);
  for (const int end : pipe) ::close(end);
  const double user = seconds(usage.ru_utime);
  const double kernel = seconds(usage.ru_stime);
  return {requests / (user + kernel), user / requests * 1e9, kernel / requests * 1e9};
}

double median(const std::vector<Sample>& samples, double Sample::*value) {
  std::vector<double> values;
  for (const Sample& sample : samples) values.push_back(sample.*value);
  std::ranges::sort(values);
  return values[values.size() / 2];
}

double print(const char* name, const std::vector<Sample>& samples) {
  const double rate = median(samples, &Sample::requests_per_cpu_second);
  fmt::print(
      "    {:<22} {:>9.0f} requests per CPU-second; per request {:.0f} ns user, {:.0f} ns kernel\n",
      name, rate, median(samples, &Sample::user_nanoseconds),
      median(samples, &Sample::kernel_nanoseconds));
  return rate;
}

}  // namespace

int main(int argc, char** argv) {
  const int rounds = argc > 1 ? std::atoi(argv[1]) : 7;
  const double length = argc > 2 ? std::atof(argv[2]) : 2;
  if (rounds < 1 || !(length > 0)) give_up("usage: hallmark_datagram_bench [ROUNDS] [SECONDS]");
  std::vector<Sample> plain;
  std::vector<Sample> batched;
  std::vector<Sample> merged;
  for (int round = 0; round < rounds; ++round) {
    plain.push_back(measure(serve_one_by_one, std::chrono::duration<double>(length)));
    batched.push_back(measure(serve_not_merging, std::chrono::duration<double>(length)));
    merged.push_back(measure(serve_merging, std::chrono::duration<double>(length)));
  }
  fmt::print("over_limit, one client, {} in flight, {} keys; medians of {} rounds of {} s each\n",
             in_flight, different_keys, rounds, length);
  const double before = print("recvfrom, sendto", plain);
  const double without_merging = print("recvmmsg, sendmmsg", batched);
  const double after = print("hallmark serve", merged);
  fmt::print(
      "    ratio of hallmark serve {:.3f} (at least 1.1 is asked for), of batches alone {:.3f}\n",
      after / before, without_merging / before);
}
