#include "proxy/proxy.hpp"

#include <fmt/format.h>

#include <array>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <thread>

#include "proxy/flows.hpp"
#include "proxy/sockets.hpp"

namespace hallmark::proxy {
namespace {

using base::Error;
using base::Result;

namespace asio = boost::asio;

constexpr std::size_t largest_datagram = 65'535;
// Read from one socket before the others have their turn.
constexpr int batch = 64;
// Read when stopping: more than the buffer of a socket holds, and not without an end.
constexpr int last_batch = 65'536;

bool is_refusal(const error_code& error) { return error == asio::error::connection_refused; }

/// True if datagrams to `target` come back to `own`.
bool leads_to(const Udp::endpoint& target, const Udp::endpoint& own) {
  if (target.port() != own.port()) return false;
  return target.address() == own.address() || target.address().is_unspecified() ||
         (own.address().is_unspecified() && target.address().is_loopback());
}

Error itself(const ProxyOptions& options) {
  return {fmt::format("target {} is where the proxy itself listens; allowed: another one",
                      to_string(options.target))};
}

}  // namespace

class Proxy::Impl {
 public:
  explicit Impl(const ProxyOptions& options)
      : max_flows_(std::max<std::size_t>(1, options.max_flows)),
        relay_(Faults(options.seed, options.requests, options.replies), options.held, options.log) {
  }

  ~Impl() { stop(); }

  Result<void> start(const ProxyOptions& options) {
    if (options.target.port == 0) {
      return Error{
          fmt::format("target {}: a port to forward to is 1 to 65535", to_string(options.target))};
    }
    const auto local = resolve(context_, options.listen, Udp::v4());
    if (!local) return local.error();
    const auto target = resolve(context_, options.target, local->protocol());
    if (!target) return target.error();
    if (leads_to(*target, *local)) return itself(options);
    if (const auto error = open_listening(listener_, *local)) {
      return Error{
          fmt::format("cannot listen on {}: {}", to_string(options.listen), error.message())};
    }
    listens_on_ = listener_.local_endpoint();
    // Once more: the port that the system chose may be that of a target that is not up yet.
    if (leads_to(*target, listens_on_)) return itself(options);
    target_ = *target;
    wait_for_requests();
    thread_ = std::thread([this] { context_.run(); });
    return {};
  }

  const Udp::endpoint& listens_on() const { return listens_on_; }
  const Udp::endpoint& forwards_to() const { return target_; }

  Summary stop() {
    if (thread_.joinable()) {
      asio::post(context_, [this] { finish(); });
      thread_.join();
    }
    return {relay_.counts(Direction::requests), relay_.counts(Direction::replies), flows_opened_,
            flows_evicted_};
  }

 private:
  static Time now() { return std::chrono::steady_clock::now().time_since_epoch(); }

  void wait_for_requests() {
    listener_.async_wait(UdpSocket::wait_read, [this](const error_code& error) {
      if (error || !listener_.is_open()) return;
      read_requests(batch);
      send_due();
      wait_for_requests();
    });
  }

  void read_requests(int most) {
    for (int i = 0; i < most; ++i) {
      error_code error;
      Udp::endpoint client;
      const std::size_t size = listener_.receive_from(asio::buffer(buffer_), client, 0, error);
      if (error) return;
      const auto flow = flow_of(client);
      if (!flow) {
        relay_.turn_away(Direction::requests);
        continue;
      }
      flows_.touch(*flow);
      relay_.receive(Direction::requests, flow->number, std::span(buffer_).first(size), now());
    }
  }

  /// Empty where the system has no socket for a new one.
  Flows::Handle flow_of(const Udp::endpoint& client) {
    if (auto known = flows_.of_client(client)) return known;
    if (flows_.size() >= max_flows_) evict_oldest();
    UdpSocket upstream(context_);
    error_code error = open_connected(upstream, target_);
    if (error == asio::error::no_descriptors && flows_.size() > 0) {
      evict_oldest();
      error = open_connected(upstream, target_);
    }
    if (error) return nullptr;
    const auto flow = std::make_shared<Flow>(relay_.open_flow(), client, std::move(upstream));
    ++flows_opened_;
    flows_.add(flow);
    wait_for_replies(flow);
    return flow;
  }

  void evict_oldest() {
    ++flows_evicted_;
    close(flows_.oldest());
  }

  /// The flow is to live until its socket is closed: a handle of its own.
  void close(Flows::Handle flow) {  // NOLINT(performance-unnecessary-value-param)
    relay_.missed(Direction::replies, missed_on(flow->upstream));
    relay_.close_flow(flow->number);
    flows_.remove(*flow);
    error_code ignored;
    flow->upstream.close(ignored);
  }

  void wait_for_replies(const Flows::Handle& flow) {
    flow->upstream.async_wait(UdpSocket::wait_read, [this, flow](const error_code& error) {
      if (error || !flow->upstream.is_open()) return;
      read_replies(*flow, batch);
      send_due();
      if (flow->upstream.is_open()) wait_for_replies(flow);
    });
  }

  void read_replies(Flow& flow, int most) {
    for (int i = 0; i < most; ++i) {
      error_code error;
      const std::size_t size = flow.upstream.receive(asio::buffer(buffer_), 0, error);
      if (is_refusal(error)) {
        relay_.refused(Direction::requests);
        continue;
      }
      if (error) return;
      flows_.touch(flow);
      relay_.receive(Direction::replies, flow.number, std::span(buffer_).first(size), now());
    }
  }

  void send_due() {
    while (const auto departure = relay_.take_due(now())) {
      if (!send(*departure)) relay_.not_sent(departure->direction);
    }
    wait_for_next_due();
  }

  bool send(const Departure& departure) {
    const auto flow = flows_.numbered(departure.flow);
    if (!flow) return false;
    if (departure.direction == Direction::requests) return send_request(*flow, departure);
    error_code error;
    listener_.send_to(asio::buffer(departure.bytes), flow->client, 0, error);
    return !error;
  }

  /// A refusal that comes instead is that of an earlier request: this one has still to be sent.
  bool send_request(Flow& flow, const Departure& departure) {
    error_code error;
    flow.upstream.send(asio::buffer(departure.bytes), 0, error);
    if (is_refusal(error)) {
      relay_.refused(Direction::requests);
      flow.upstream.send(asio::buffer(departure.bytes), 0, error);
    }
    return !error;
  }

  void wait_for_next_due() {
    const auto due = relay_.next_due();
    if (!due || (awaited_ && *awaited_ <= *due)) return;
    awaited_ = due;
    timer_.expires_at(std::chrono::steady_clock::time_point(*due));
    timer_.async_wait([this](const error_code& error) {
      if (error || !listener_.is_open()) return;
      awaited_.reset();
      send_due();
    });
  }

  /// Everything that was sent here before the stop is still read and decided about.
  void finish() {
    read_requests(last_batch);
    send_due();
    // A copy: reading moves a flow to the end of them.
    const std::vector<Flows::Handle> flows(flows_.begin(), flows_.end());
    for (const auto& flow : flows) read_replies(*flow, last_batch);
    send_due();
    relay_.missed(Direction::requests, missed_on(listener_));
    while (flows_.size() > 0) close(flows_.oldest());
    error_code ignored;
    listener_.close(ignored);
    timer_.cancel();
  }

  std::size_t max_flows_;
  Relay relay_;
  asio::io_context context_{1};
  UdpSocket listener_{context_};
  asio::steady_timer timer_{context_};
  std::optional<Time> awaited_;
  Udp::endpoint listens_on_;
  Udp::endpoint target_;
  Flows flows_;
  std::uint64_t flows_opened_ = 0;
  std::uint64_t flows_evicted_ = 0;
  std::array<std::uint8_t, largest_datagram> buffer_{};
  std::thread thread_;
};

Proxy::Proxy() = default;
Proxy::~Proxy() = default;

Result<void> Proxy::start(const ProxyOptions& options) {
  auto impl = std::make_unique<Impl>(options);
  auto started = impl->start(options);
  if (started) impl_ = std::move(impl);
  return started;
}

Udp::endpoint Proxy::listens_on() const { return impl_->listens_on(); }
Udp::endpoint Proxy::forwards_to() const { return impl_->forwards_to(); }

Summary Proxy::stop() { return impl_ ? impl_->stop() : Summary{}; }

}  // namespace hallmark::proxy
