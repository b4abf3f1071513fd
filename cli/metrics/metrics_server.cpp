#include "cli/metrics/metrics_server.hpp"

#include <fmt/format.h>

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <optional>
#include <thread>

#include "base/endpoint.hpp"

namespace hallmark::cli {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
using asio::ip::tcp;
using boost::system::error_code;

/// For a request, and for its reply to be taken.
constexpr std::chrono::seconds patience{5};
constexpr std::uint32_t most_header_bytes = 16'384;

using MetricsText = std::function<std::string()>;
using MetricsReply = http::response<http::string_body>;

MetricsReply reply_to(const http::request<http::empty_body>& request, const MetricsText& text) {
  MetricsReply reply;
  reply.version(request.version());
  reply.keep_alive(request.keep_alive());
  const bool reads = request.method() == http::verb::get || request.method() == http::verb::head;
  const std::string_view path(request.target().data(), request.target().size());
  if (!reads) {
    reply.result(http::status::method_not_allowed);
    reply.set(http::field::allow, "GET, HEAD");
  } else if (path.substr(0, path.find('?')) != "/metrics") {
    reply.result(http::status::not_found);
    reply.body() = "metrics are at /metrics\n";
  } else {
    reply.set(http::field::content_type, "text/plain; version=0.0.4; charset=utf-8");
    reply.body() = text();
  }
  reply.content_length(reply.body().size());
  if (request.method() == http::verb::head) reply.body().clear();
  return reply;
}

/// One connection. It keeps itself alive until it is closed.
class MetricsConnection : public std::enable_shared_from_this<MetricsConnection> {
 public:
  MetricsConnection(tcp::socket socket, const MetricsText& text)
      : stream_(std::move(socket)), text_(text) {}

  void read() {
    parser_.emplace();
    parser_->header_limit(most_header_bytes);
    stream_.expires_after(patience);
    http::async_read(stream_, buffer_, *parser_,
                     [self = shared_from_this()](error_code error, std::size_t) {
                       if (!error) self->write();
                     });
  }

 private:
  void write() {
    reply_ = reply_to(parser_->get(), text_);
    stream_.expires_after(patience);
    http::async_write(stream_, reply_, [self = shared_from_this()](error_code error, std::size_t) {
      if (!error && self->reply_.keep_alive()) self->read();
    });
  }

  beast::tcp_stream stream_;
  const MetricsText& text_;
  beast::flat_buffer buffer_;
  std::optional<http::request_parser<http::empty_body>> parser_;
  MetricsReply reply_;
};

base::Error refused_address(const std::string& address, std::string_view why) {
  return {fmt::format("--metrics {}: {}; expected HOST:PORT at which nobody listens yet", address,
                      why)};
}

}  // namespace

class MetricsServer::Listener {
 public:
  explicit Listener(MetricsText text) : text_(std::move(text)) {}
  ~Listener() {
    context_.stop();
    if (thread_.joinable()) thread_.join();
  }

  /// Returns why not.
  error_code open(const base::TcpEndpoint& at) {
    error_code error;
    const auto found = tcp::resolver(context_).resolve(at.host, std::to_string(at.port),
                                                       tcp::resolver::passive, error);
    if (error) return error;
    const tcp::endpoint endpoint = *found.begin();
    acceptor_.open(endpoint.protocol(), error);
    if (!error) acceptor_.set_option(tcp::acceptor::reuse_address(true), error);
    if (!error) acceptor_.bind(endpoint, error);
    if (!error) acceptor_.listen(tcp::acceptor::max_listen_connections, error);
    if (!error) port_ = acceptor_.local_endpoint(error).port();
    return error;
  }

  void start() {
    accept();
    thread_ = std::thread([this] { context_.run(); });
  }

  std::uint16_t port() const { return port_; }

 private:
  void accept() {
    acceptor_.async_accept([this](error_code error, tcp::socket socket) {
      if (!error) {
        std::make_shared<MetricsConnection>(std::move(socket), text_)->read();
        accept();
      } else {
        accept_later();
      }
    });
  }

  /// Without descriptors left, others are freed when the patience with their clients is over.
  void accept_later() {
    pause_.expires_after(patience);
    pause_.async_wait([this](error_code) { accept(); });
  }

  MetricsText text_;
  asio::io_context context_{1};
  tcp::acceptor acceptor_{context_};
  asio::steady_timer pause_{context_};
  std::uint16_t port_ = 0;
  std::thread thread_;
};

MetricsServer::MetricsServer(std::unique_ptr<Listener> listener) : listener_(std::move(listener)) {}
MetricsServer::~MetricsServer() = default;

std::uint16_t MetricsServer::port() const { return listener_->port(); }

base::Result<std::unique_ptr<MetricsServer>> MetricsServer::listen(
    const std::string& address, std::function<std::string()> text) {
  const auto endpoint =
      base::parse_endpoint<base::TcpEndpoint>("tcp://" + address, base::Ports::to_listen);
  if (!endpoint) return refused_address(address, "not an address");
  auto listener = std::make_unique<Listener>(std::move(text));
  if (const error_code error = listener->open(*endpoint))
    return refused_address(address, error.message());
  listener->start();
  return std::unique_ptr<MetricsServer>(new MetricsServer(std::move(listener)));
}

}  // namespace hallmark::cli
