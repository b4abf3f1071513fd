#include "cli/http/http_listener.hpp"

#include <fmt/format.h>

#include "base/endpoint.hpp"

namespace hallmark::cli {
namespace {

using boost::asio::ip::tcp;
using boost::system::error_code;

base::Error refused_listening(std::string_view option, const std::string& address,
                              std::string_view why) {
  return {fmt::format("{} {}: {}; expected HOST:PORT at which nobody listens yet", option, address,
                      why)};
}

error_code bind_to(tcp::acceptor& acceptor, const tcp::endpoint& endpoint) {
  error_code error;
  acceptor.open(endpoint.protocol(), error);
  if (!error) acceptor.set_option(tcp::acceptor::reuse_address(true), error);
  if (!error) acceptor.bind(endpoint, error);
  if (!error) acceptor.listen(tcp::acceptor::max_listen_connections, error);
  return error;
}

}  // namespace

void HttpListener::stop() {
  context_.stop();
  if (thread_.joinable()) thread_.join();
}

base::Result<void> HttpListener::open(std::string_view option, const std::string& address) {
  const auto at =
      base::parse_endpoint<base::TcpEndpoint>("tcp://" + address, base::Ports::to_listen);
  if (!at) return refused_listening(option, address, "not an address");
  error_code error;
  const auto found = tcp::resolver(context_).resolve(at->host, std::to_string(at->port),
                                                     tcp::resolver::passive, error);
  if (!error) error = bind_to(acceptor_, *found.begin());
  if (!error) port_ = acceptor_.local_endpoint(error).port();
  if (error) return refused_listening(option, address, error.message());
  return {};
}

void HttpListener::start() {
  accept();
  thread_ = std::thread([this] { context_.run(); });
}

void HttpListener::accept() {
  acceptor_.async_accept([this](error_code error, tcp::socket socket) {
    if (error) return accept_later();
    accepted_(std::move(socket));
    accept();
  });
}

/// When no descriptors are left, others become free as the patience with their clients runs out.
void HttpListener::accept_later() {
  pause_.expires_after(http_patience);
  pause_.async_wait([this](error_code) { accept(); });
}

}  // namespace hallmark::cli
