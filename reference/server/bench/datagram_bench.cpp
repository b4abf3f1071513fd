// Measures the gain from batching. The same flood goes to the datagram server and to a loop that
// makes two system calls for each datagram and otherwise does the same work (same session, rules
// and keys). The server runs with batches alone, and as `hallmark serve` runs it, with replies to
// one client merged. Each runs in a process of its own, one after the other: this program once
// more, told to serve. Prints the CPU time of these processes, as medians over the rounds.
//
// Usage: hallmark_datagram_bench [ROUNDS] [SECONDS]
#include <fcntl.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "base/child_process.hpp"
#include "base/descriptor.hpp"
#include "base/number.hpp"
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

/// The ways to serve that are compared.
constexpr const char* one_by_one = "--serve-one-by-one";
constexpr const char* in_batches = "--serve-in-batches";
constexpr const char* merging = "--serve-merging";

[[noreturn]] void give_up(const std::string& why) {
  fmt::print(stderr, "hallmark_datagram_bench: {}\n", why);
  std::exit(1);
}

const base::UdpEndpoint loopback{"127.0.0.1", 0};

server::DatagramSocket bound_socket() {
  auto bound = server::DatagramSocket::bind(loopback, room);
  if (!bound) give_up(bound.error().message);
  return std::move(*bound);
}

/// Tells the parent where this process serves.
void tell(std::uint16_t port) {
  fmt::print("{}\n", port);
  std::fflush(stdout);
}

[[noreturn]] void serve_in_batches(bool merges) {
  server::DatagramServer server;
  server::DatagramServerOptions options;
  options.merges_replies = merges;
  options.listen = {loopback};
  options.receive_buffer_bytes = room;
  const auto started = server.start(options);
  if (!started) give_up(started.error().message);
  tell(server.endpoints().front().port);
  for (;;) ::pause();
}

[[noreturn]] void serve_one_by_one() {
  const server::DatagramSocket socket = bound_socket();
  tell(socket.endpoint().port);
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

/// Seconds that children used which have ended.
struct ChildTime {
  double user = 0;
  double kernel = 0;
};

ChildTime time_of_children() {
  rusage usage{};
  ::getrusage(RUSAGE_CHILDREN, &usage);
  return {seconds(usage.ru_utime), seconds(usage.ru_stime)};
}

/// The measurements of one server, in one round or as medians of several.
struct Sample {
  double requests_per_cpu_second = 0;
  double user_nanoseconds = 0;  ///< per request
  double kernel_nanoseconds = 0;
};

/// The port that a process tells.
std::uint16_t told_by(const base::Descriptor& pipe) {
  std::array<char, 16> text{};
  const auto size = base::read_some(pipe, text);
  const auto port = base::leading_number<std::uint16_t>(
      {text.data(), static_cast<std::size_t>(std::max(size, std::ptrdiff_t{0}))});
  if (!port) give_up("the server did not start");
  return port->number;
}

/// Floods a server that serves in that way, in a process of its own.
Sample measure(const std::string& way, std::chrono::duration<double> length) {
  auto pipe = base::make_pipe();
  if (!pipe) give_up(pipe.error().message);
  base::ChildOptions options;
  options.out = pipe->write.get();
  options.err = STDERR_FILENO;
  const ChildTime before = time_of_children();
  const auto child = base::ChildProcess::start({"/proc/self/exe", way}, options);
  if (!child) give_up(child.error().message);
  pipe->write.reset();
  const auto requests = static_cast<double>(Flood(told_by(pipe->read)).run(length));
  (*child)->kill();
  const ChildTime after = time_of_children();
  const double user = after.user - before.user;
  const double kernel = after.kernel - before.kernel;
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

void serve_if_told(std::string_view way) {
  if (way == one_by_one) serve_one_by_one();
  if (way == in_batches) serve_in_batches(false);
  if (way == merging) serve_in_batches(true);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 2) serve_if_told(argv[1]);
  const int rounds = argc > 1 ? base::number_in<std::int32_t>(argv[1]).value_or(0) : 7;
  const double length = argc > 2 ? base::number_in<double>(argv[2]).value_or(0) : 2;
  if (rounds < 1 || !(length > 0)) give_up("usage: hallmark_datagram_bench [ROUNDS] [SECONDS]");
  std::vector<Sample> plain;
  std::vector<Sample> batched;
  std::vector<Sample> merged;
  for (int round = 0; round < rounds; ++round) {
    plain.push_back(measure(one_by_one, std::chrono::duration<double>(length)));
    batched.push_back(measure(in_batches, std::chrono::duration<double>(length)));
    merged.push_back(measure(merging, std::chrono::duration<double>(length)));
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
