#include "reference/server/listener.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <boost/asio/basic_socket_acceptor.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/local/stream_protocol.hpp>

#include "base/socket_file.hpp"
#include "reference/server/worker.hpp"

namespace hallmark::server {

namespace {

namespace asio = boost::asio;
using asio::ip::tcp;
using boost::system::error_code;
using Local = asio::local::stream_protocol;

// When the process has no descriptor left, accepting fails at once, again and again.
constexpr std::chrono::milliseconds pause_after_failure{50};

template <class Protocol>
using Acceptor = asio::basic_socket_acceptor<Protocol, asio::io_context::executor_type>;

template <class Protocol>
class ProtocolListener final : public Listener {
 public:
  ProtocolListener(Acceptor<Protocol> acceptor, StreamEndpoint endpoint, NextWorker next_worker,
                   base::SocketFile socket_file = {})
      : socket_file_(std::move(socket_file)),
        acceptor_(std::move(acceptor)),
        endpoint_(std::move(endpoint)),
        next_worker_(std::move(next_worker)),
        pause_(acceptor_.get_executor()) {}

  const StreamEndpoint& endpoint() const override { return endpoint_; }
  void start() override { accept(); }

  void stop() override {
    error_code ignored;
    acceptor_.close(ignored);
    pause_.cancel();
    socket_file_.remove();
  }

 private:
  void accept() {
    worker_ = &next_worker_();
    socket_.emplace(worker_->context());
    acceptor_.async_accept(*socket_, [this](const error_code& error) { on_accept(error); });
  }

  void on_accept(const error_code& error) {
    if (!acceptor_.is_open()) return;
    if (error) return accept_later();
    hand_over();
    accept();
  }

  void hand_over() {
    error_code error;
    const auto remote = socket_->remote_endpoint(error);
    if (!error) socket_->non_blocking(true, error);
    if (error) return;
    if constexpr (std::is_same_v<Protocol, tcp>) socket_->set_option(tcp::no_delay(true), error);
    worker_->adopt(std::move(*socket_), peer_of(remote));
  }

  void accept_later() {
    pause_.expires_after(pause_after_failure);
    pause_.async_wait([this](const error_code& error) {
      if (!error) accept();
    });
  }

  base::SocketFile socket_file_;  ///< for a Unix socket
  Acceptor<Protocol> acceptor_;
  StreamEndpoint endpoint_;
  NextWorker next_worker_;
  Worker* worker_ = nullptr;  ///< the worker of the connection being accepted
  std::optional<StreamSocket> socket_;
  asio::steady_timer pause_;
};

template <class Protocol>
error_code bind_and_listen(Acceptor<Protocol>& acceptor, const typename Protocol::endpoint& at) {
  error_code error;
  acceptor.open(at.protocol(), error);
  if (!error && std::is_same_v<Protocol, tcp>) {
    acceptor.set_option(asio::socket_base::reuse_address(true), error);
  }
  if (!error) acceptor.bind(at, error);
  if (!error) acceptor.listen(asio::socket_base::max_listen_connections, error);
  return error;
}

base::Error failure(const StreamEndpoint& endpoint, const error_code& error) {
  return {fmt::format("cannot listen on {}: {}", to_string(endpoint), error.message())};
}

base::Result<std::unique_ptr<Listener>> listen_tcp(asio::io_context& context,
                                                   base::TcpEndpoint endpoint,
                                                   Listener::NextWorker next_worker) {
  error_code error;
  tcp::resolver resolver(context);
  const auto found =
      resolver.resolve(endpoint.host, std::to_string(endpoint.port),
                       tcp::resolver::passive | tcp::resolver::numeric_service, error);
  if (error) return failure(endpoint, error);
  Acceptor<tcp> acceptor(context);
  error = bind_and_listen<tcp>(acceptor, found.begin()->endpoint());
  if (error) return failure(endpoint, error);
  endpoint.host = acceptor.local_endpoint().address().to_string();
  endpoint.port = acceptor.local_endpoint().port();
  return std::make_unique<ProtocolListener<tcp>>(std::move(acceptor), std::move(endpoint),
                                                 std::move(next_worker));
}

/// A socket file that nobody listens on any more, left by a process that was killed.
bool is_stale(asio::io_context& context, const std::string& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0 || !S_ISSOCK(status.st_mode)) return false;
  error_code error;
  Local::socket probe(context);
  probe.connect(Local::endpoint(path), error);
  return error == asio::error::connection_refused;
}

base::Result<std::unique_ptr<Listener>> listen_unix(asio::io_context& context,
                                                    const base::UnixEndpoint& endpoint,
                                                    Listener::NextWorker next_worker) {
  if (is_stale(context, endpoint.path)) ::unlink(endpoint.path.c_str());
  Acceptor<Local> acceptor(context);
  const error_code error = bind_and_listen<Local>(acceptor, Local::endpoint(endpoint.path));
  if (error) return failure(endpoint, error);
  return std::make_unique<ProtocolListener<Local>>(
      std::move(acceptor), endpoint, std::move(next_worker), base::SocketFile(endpoint.path));
}

void copy_text(const std::string& text, std::array<char, 16>& field) {
  std::copy_n(text.begin(), std::min(text.size(), field.size()), field.begin());
}

void copy_address(const asio::ip::address& address, std::array<std::uint8_t, 16>& field) {
  if (address.is_v4()) {
    std::ranges::copy(address.to_v4().to_bytes(), field.begin());
  } else {
    field = address.to_v6().to_bytes();
  }
}

}  // namespace

base::Result<std::unique_ptr<Listener>> listen(asio::io_context& context,
                                               const StreamEndpoint& endpoint,
                                               Listener::NextWorker next_worker) {
  if (const auto* const tcp_endpoint = std::get_if<base::TcpEndpoint>(&endpoint))
    return listen_tcp(context, *tcp_endpoint, std::move(next_worker));
  return listen_unix(context, std::get<base::UnixEndpoint>(endpoint), std::move(next_worker));
}

model::Peer peer_of(const asio::generic::stream_protocol::endpoint& endpoint) {
  model::Peer peer;
  const int family = endpoint.protocol().family();
  if (family != AF_INET && family != AF_INET6) {
    peer.local = true;
    return peer;
  }
  tcp::endpoint address;
  address.resize(endpoint.size());
  std::memcpy(address.data(), endpoint.data(), endpoint.size());
  peer.ip_version = address.address().is_v6() ? 6 : 4;
  peer.port = address.port();
  copy_text(address.address().to_string(), peer.ip);
  copy_address(address.address(), peer.address);
  return peer;
}

}  // namespace hallmark::server
