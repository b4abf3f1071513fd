// Measures the cost of a client that does nothing but its system calls. An epoll loop keeps DEPTH
// requests in flight on each connection, sends the very frames that `hallmark load` sends, and only
// counts the bytes that come back.
//
//   hallmark_bare_client TARGET CONNECTIONS DEPTH SECONDS [DIALECT WIDTH]
//
// Prints one line of JSON: requests answered, seconds, and the CPU seconds they took.
#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/socket.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <chrono>
#include <cstdlib>
#include <optional>
#include <string>
#include <vector>

#include "base/descriptor.hpp"
#include "base/number.hpp"
#include "loadgen/drivers/stream/requests.hpp"
#include "loadgen/drivers/stream/setup.hpp"
#include "loadgen/drivers/stream/stream.hpp"
#include "loadgen/engine/poller.hpp"
#include "protocol/dialects.hpp"

namespace {

using namespace hallmark;
using namespace hallmark::loadgen;
using Clock = std::chrono::steady_clock;

/// The number of keys that bench/run.mjs has the other client use. With more keys, a target is
/// slower and wakes a client that waits for it more often. The frames name about a third of them.
constexpr std::uint32_t keys = 10'000;
constexpr std::size_t frames_kept = 4096;
constexpr std::size_t read_bytes = std::size_t{64} << 10;

template <class T>
boost::asio::awaitable<void> keep(boost::asio::awaitable<T> work, std::optional<T>& result) {
  result.emplace(co_await std::move(work));
}

template <class T>
T run_now(boost::asio::io_context& context, boost::asio::awaitable<T> work) {
  std::optional<T> result;
  boost::asio::co_spawn(context, keep(std::move(work), result), boost::asio::detached);
  context.restart();
  context.run();
  return std::move(*result);
}

/// Bytes of the reply to a QUERY that finds its key.
std::size_t reply_bytes(const Requests& requests, protocol::Width width) {
  const auto& dialect = requests.readings().dialect();
  const auto& operation = *protocol::find_operation(dialect, "QUERY");
  const auto layout = protocol::Layout::reply(operation, width, requests.readings());
  std::size_t bytes = 0;
  for (const auto& field : operation.reply.fields) bytes += layout.width_of(field);
  for (const auto& field : operation.reply.on_success) bytes += layout.width_of(field);
  return bytes;
}

double cpu_seconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) / 1e6;
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

struct Client {
  base::Descriptor socket;
  std::size_t partial = 0;  ///< bytes of a reply whose end has not come
  std::size_t next = 0;     ///< frame to send
};

class BareLoop {
 public:
  BareLoop(protocol::ByteBuffer frames, std::size_t frame, std::size_t reply)
      : frames_(std::move(frames)), frame_(frame), reply_(reply), buffer_(read_bytes) {}

  void add(base::Descriptor socket) {
    poller_.add(socket.get(), static_cast<std::uint32_t>(clients_.size()));
    clients_.push_back({std::move(socket)});
  }

  /// Requests answered.
  std::uint64_t run(std::size_t depth, Clock::time_point until) {
    for (Client& client : clients_) send(client, depth);
    while (Clock::now() < until) {
      for (const auto& event : poller_.wait(10'000'000)) read(clients_[event.data.u32]);
    }
    return answered_;
  }

 private:
  void send(Client& client, std::size_t count) {
    const std::size_t bytes = count * frame_;
    const auto* from = frames_.data() + client.next * frame_;
    if (::send(client.socket.get(), from, bytes, MSG_NOSIGNAL) != static_cast<ssize_t>(bytes)) {
      fmt::print(stderr, "send failed\n");
      std::exit(3);
    }
    client.next = (client.next + count) % frames_kept;
  }

  void read(Client& client) {
    const ssize_t n = ::recv(client.socket.get(), buffer_.data(), buffer_.size(), 0);
    if (n <= 0) {
      fmt::print(stderr, "the target closed the connection\n");
      std::exit(3);
    }
    const std::size_t bytes = client.partial + static_cast<std::size_t>(n);
    client.partial = bytes % reply_;
    answered_ += bytes / reply_;
    if (bytes >= reply_) send(client, bytes / reply_);
  }

  protocol::ByteBuffer frames_;
  std::size_t frame_;
  std::size_t reply_;
  std::vector<std::uint8_t> buffer_;
  Poller poller_;
  std::vector<Client> clients_;
  std::uint64_t answered_ = 0;
};

struct Arguments {
  std::string target;
  std::size_t connections;
  std::size_t depth;
  double seconds;
  Workload workload;
};

/// QUERY alone, of a dialect as released servers speak it.
Workload workload_of(std::string_view dialect, std::string_view width) {
  for (const auto* known : protocol::throttr_dialects) {
    for (const auto one : known->widths) {
      if (known->name != dialect || name_of(one) != width) continue;
      return {.readings = {*known, protocol::Profile::deployed},
              .width = one,
              .mix = "query=1",
              .keys = keys};
    }
  }
  fmt::print(stderr, "unknown dialect and width: {} {}\n", dialect, width);
  std::exit(2);
}

template <class T>
T expect(base::Result<T> result) {
  if (result) return std::move(*result);
  fmt::print(stderr, "{}\n", result.error().message);
  std::exit(3);
}

int run(const Arguments& arguments) {
  constexpr auto timeout = std::chrono::seconds(5);
  const auto requests = expect(Requests::make(arguments.workload));
  boost::asio::io_context context;
  const auto endpoints =
      expect(run_now(context, resolve(expect(base::parse_endpoint<Target>(arguments.target)))));
  auto setup = expect(run_now(context, connect(endpoints, timeout)));
  const auto before = requests.before();
  const auto after = requests.after();
  if (const auto stored = run_now(context, play(setup, requests, before, timeout)); !stored) {
    fmt::print(stderr, "{}\n", stored.error().message);
    return 3;
  }
  protocol::ByteBuffer frames;
  for (std::uint64_t i = 0; i < frames_kept + arguments.depth; ++i) {
    requests.append(frames, 0, i % frames_kept);
  }
  BareLoop loop{std::move(frames), requests.parts().front().usual.frame.size(),
                reply_bytes(requests, arguments.workload.width)};
  for (std::size_t i = 0; i < arguments.connections; ++i) {
    auto stream = expect(run_now(context, connect(endpoints, timeout)));
    stream.native_non_blocking(false);
    loop.add(base::Descriptor{stream.release()});
  }
  const double cpu_before = cpu_seconds();
  const auto start = Clock::now();
  const auto lasting = std::chrono::duration<double>(arguments.seconds);
  const auto answered =
      loop.run(arguments.depth, start + std::chrono::duration_cast<Clock::duration>(lasting));
  const double cpu = cpu_seconds() - cpu_before;
  const std::chrono::duration<double> took = Clock::now() - start;
  fmt::print("{{\"requests\": {}, \"seconds\": {:.3f}, \"cpu_seconds\": {:.3f}}}\n", answered,
             took.count(), cpu);
  return run_now(context, play(setup, requests, after, timeout)) ? 0 : 3;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 5 && argc != 7) {
    fmt::print(stderr, "usage: {} TARGET CONNECTIONS DEPTH SECONDS [DIALECT WIDTH]\n", argv[0]);
    return 2;
  }
  const auto connections = base::number_in<std::uint64_t>(argv[2]);
  const auto depth = base::number_in<std::uint64_t>(argv[3]);
  const auto seconds = base::number_in<double>(argv[4]);
  if (!connections || !depth || !seconds) {
    fmt::print(stderr, "{}: CONNECTIONS, DEPTH and SECONDS are numbers\n", argv[0]);
    return 2;
  }
  return run({argv[1], *connections, *depth, *seconds,
              argc == 7 ? workload_of(argv[5], argv[6]) : workload_of("throttr-7.1", "u16")});
}
