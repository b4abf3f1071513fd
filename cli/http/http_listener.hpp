#pragma once
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <thread>

#include "base/error.hpp"

namespace hallmark::cli {

/// Time for an HTTP client to send a request, and to take the reply.
inline constexpr std::chrono::seconds http_patience{5};
/// The longest header of a request.
inline constexpr std::uint32_t most_http_header_bytes = 16'384;

/// Accepts connections in a thread of its own, until it goes away.
class HttpListener {
 public:
  /// Takes a connection; called in the listener's thread.
  using Accepted = std::function<void(boost::asio::ip::tcp::socket)>;

  explicit HttpListener(Accepted accepted) : accepted_(std::move(accepted)) {}
  HttpListener(const HttpListener&) = delete;
  HttpListener& operator=(const HttpListener&) = delete;
  ~HttpListener() { stop(); }

  /// Listens. `address`: HOST:PORT, as it was given with `option`; port 0 lets the system choose.
  /// Errors, one line: not an address, or one at which nobody may listen.
  base::Result<void> open(std::string_view option, const std::string& address);
  /// Begins to accept.
  void start();
  /// Ends the thread. No handler runs afterwards.
  void stop();

  std::uint16_t port() const { return port_; }
  /// Runs in the listener's thread.
  boost::asio::io_context& context() { return context_; }

 private:
  void accept();
  void accept_later();

  Accepted accepted_;
  boost::asio::io_context context_{1};
  boost::asio::ip::tcp::acceptor acceptor_{context_};
  boost::asio::steady_timer pause_{context_};
  std::uint16_t port_ = 0;
  std::thread thread_;
};

}  // namespace hallmark::cli
