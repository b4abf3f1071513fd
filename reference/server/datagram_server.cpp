#include "reference/server/datagram_server.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <limits>
#include <thread>

#include "base/waker.hpp"
#include "reference/server/datagram_batch.hpp"
#include "reference/server/readiness.hpp"
#include "reference/server/server_clock.hpp"
#include "reference/session/datagram_session.hpp"

namespace hallmark::server {

namespace {

/// Counts of one thread that others read.
class SharedCounts {
 public:
  void add(std::size_t received, const DatagramOutbox::Sent& sent) {
    add(received_, received);
    add(answered_, sent.replies);
    add(send_errors_, sent.errors);
  }

  DatagramCounts read() const {
    DatagramCounts counts;
    counts.send_errors = send_errors_.load(std::memory_order_acquire);
    counts.answered = answered_.load(std::memory_order_acquire);
    counts.received = received_.load(std::memory_order_acquire);
    counts.ignored = counts.received - counts.answered - counts.send_errors;
    return counts;
  }

 private:
  using Counter = std::atomic<std::uint64_t>;

  static void add(Counter& counter, std::size_t amount) {
    counter.store(counter.load(std::memory_order_relaxed) + amount, std::memory_order_release);
  }

  Counter received_{0};
  Counter answered_{0};
  Counter send_errors_{0};
};

base::Error system_error(const char* what) {
  return base::Error{fmt::format("cannot start the server: {}: {}", what, base::errno_text(errno))};
}

}  // namespace

std::string to_string(const DatagramCounts& counts) {
  return fmt::format(
      "{} datagrams received, {} answered, {} ignored, {} dropped by the kernel, {} send errors",
      counts.received, counts.answered, counts.ignored, counts.dropped, counts.send_errors);
}

class DatagramServer::Impl {
 public:
  explicit Impl(const DatagramServerOptions& options)
      : options_(options),
        limiter_(options_.rules, model::rate_behaviour_of(options_.readings), options_.max_keys),
        session_(limiter_, options_.readings),
        batch_(std::max(std::size_t{1}, options_.batch), session_.most_bytes(),
               options_.merges_replies) {
    options_.decorator->around_limiter(limiter_);
    around_session_ = options_.decorator->around_handler(session_);
    if (around_session_) handler_ = around_session_.get();
  }

  base::Result<void> start() {
    if (!readiness_.is_open() || !readiness_.add(stop_.fd(), stop_number)) {
      return system_error("epoll");
    }
    sockets_.reserve(options_.listen.size());
    for (const base::UdpEndpoint& endpoint : options_.listen) {
      auto bound = DatagramSocket::bind(endpoint, options_.receive_buffer_bytes);
      if (!bound) return bound.error();
      sockets_.push_back(std::move(*bound));
      endpoints_.push_back(sockets_.back().endpoint());
      if (!readiness_.add(sockets_.back().descriptor(), sockets_.size() - 1)) {
        return system_error("epoll");
      }
    }
    receive_buffer_bytes_ = smallest_receive_buffer();
    thread_ = std::thread([this] { run(); });
    return {};
  }

  void stop() {
    if (!thread_.joinable()) return;
    stop_.wake();
    thread_.join();
    dropped_ = dropped();
    sockets_.clear();
  }

  const std::vector<base::UdpEndpoint>& endpoints() const { return endpoints_; }

  int receive_buffer_bytes() const { return receive_buffer_bytes_; }

  DatagramCounts counts() const {
    DatagramCounts counts = counts_.read();
    counts.dropped = sockets_.empty() ? dropped_ : dropped();
    return counts;
  }

 private:
  static constexpr std::uint64_t stop_number = ~std::uint64_t{0};

  void run() {
    for (bool stopping = false; !stopping;) {
      readiness_.wait([&](std::uint64_t number) {
        if (number == stop_number) {
          stopping = true;
        } else {
          serve(sockets_[number]);
        }
      });
    }
  }

  /// One batch: a socket with more comes up again, after the others. All of a batch takes effect at
  /// one time, which lies between the arrival of each request and its reply.
  void serve(const DatagramSocket& socket) {
    DatagramDecorator& decorator = *options_.decorator;
    decorator.before_receiving();
    const std::size_t received = batch_.receive(socket);
    const model::Time now = clock_.now();
    for (std::size_t i = 0; i < received; ++i) {
      const std::size_t size = handler_->answer(batch_.datagram(i), now, batch_.replies());
      const unsigned copies = size == 0 ? 0 : decorator.copies(received);
      if (copies > 0) batch_.reply_to(decorator.recipient(i, received), size);
      // A batch has room for one reply to each request: alone, one may get two.
      if (copies > 1) {
        const base::ByteView reply = batch_.replies().view().last(size);
        batch_.replies().append(base::Bytes(reply.begin(), reply.end()));
        batch_.reply_to(i, size);
      }
    }
    counts_.add(received, batch_.send(socket));
  }

  int smallest_receive_buffer() const {
    int smallest = std::numeric_limits<int>::max();
    for (const DatagramSocket& socket : sockets_) {
      smallest = std::min(smallest, socket.receive_buffer_bytes());
    }
    return smallest;
  }

  std::uint64_t dropped() const {
    std::uint64_t sum = 0;
    for (const DatagramSocket& socket : sockets_) sum += socket.dropped();
    return sum;
  }

  const DatagramServerOptions options_;
  const ServerClock clock_{};
  model::RateLimiter limiter_;
  DatagramSession session_;
  std::unique_ptr<DatagramHandler> around_session_;
  DatagramHandler* handler_ = &session_;  ///< the session, or what was put around it
  DatagramBatch batch_;
  base::Waker stop_;
  Readiness readiness_;
  std::vector<DatagramSocket> sockets_;
  std::vector<base::UdpEndpoint> endpoints_;
  SharedCounts counts_;
  int receive_buffer_bytes_ = 0;
  std::uint64_t dropped_ = 0;
  std::thread thread_;
};

DatagramServer::DatagramServer() = default;
DatagramServer::~DatagramServer() { stop(); }

base::Result<void> DatagramServer::start(const DatagramServerOptions& options) {
  auto impl = std::make_unique<Impl>(options);
  auto started = impl->start();
  if (started) impl_ = std::move(impl);
  return started;
}

const std::vector<base::UdpEndpoint>& DatagramServer::endpoints() const {
  static const std::vector<base::UdpEndpoint> none;
  return impl_ ? impl_->endpoints() : none;
}

int DatagramServer::receive_buffer_bytes() const {
  return impl_ ? impl_->receive_buffer_bytes() : 0;
}

DatagramCounts DatagramServer::counts() const { return impl_ ? impl_->counts() : DatagramCounts{}; }

void DatagramServer::stop() {
  if (impl_) impl_->stop();
}

}  // namespace hallmark::server
