#include "cli/metrics/metrics_server.hpp"

#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <optional>

#include "cli/http/http_listener.hpp"

namespace hallmark::cli {
namespace {

namespace beast = boost::beast;
namespace http = beast::http;
using boost::asio::ip::tcp;
using boost::system::error_code;

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
    parser_->header_limit(most_http_header_bytes);
    stream_.expires_after(http_patience);
    http::async_read(stream_, buffer_, *parser_,
                     [self = shared_from_this()](error_code error, std::size_t) {
                       if (!error) self->write();
                     });
  }

 private:
  void write() {
    reply_ = reply_to(parser_->get(), text_);
    stream_.expires_after(http_patience);
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

}  // namespace

class MetricsServer::Listener {
 public:
  explicit Listener(MetricsText text)
      : text_(std::move(text)), listener_([this](tcp::socket socket) {
          std::make_shared<MetricsConnection>(std::move(socket), text_)->read();
        }) {}

  HttpListener& http() { return listener_; }

 private:
  MetricsText text_;
  HttpListener listener_;
};

MetricsServer::MetricsServer(std::unique_ptr<Listener> listener) : listener_(std::move(listener)) {}
MetricsServer::~MetricsServer() = default;

std::uint16_t MetricsServer::port() const { return listener_->http().port(); }

base::Result<std::unique_ptr<MetricsServer>> MetricsServer::listen(
    const std::string& address, std::function<std::string()> text) {
  auto listener = std::make_unique<Listener>(std::move(text));
  if (const auto opened = listener->http().open("--metrics", address); !opened)
    return opened.error();
  listener->http().start();
  return std::unique_ptr<MetricsServer>(new MetricsServer(std::move(listener)));
}

}  // namespace hallmark::cli
