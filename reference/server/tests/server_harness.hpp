#pragma once
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <boost/asio/connect.hpp>
#include <boost/asio/generic/stream_protocol.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/write.hpp>
#include <string>
#include <string_view>

#include "base/bytes.hpp"
#include "base/hex.hpp"
#include "reference/server/server.hpp"

namespace hallmark::server::testing {

namespace asio = boost::asio;

/// A server on loopback for the length of a test.
class RunningServer {
 public:
  explicit RunningServer(ServerOptions options = {}) {
    if (options.listen.empty()) options.listen = {base::TcpEndpoint{"127.0.0.1", 0}};
    const auto started = server.start(options);
    EXPECT_TRUE(started.has_value()) << (started ? "" : started.error().message);
  }

  StreamEndpoint endpoint() const { return server.endpoints().front(); }

  Server server;
};

/// A blocking client that speaks hex.
class BlockingClient {
 public:
  using Socket = asio::generic::stream_protocol::socket;

  explicit BlockingClient(const StreamEndpoint& endpoint) {
    if (const auto* const tcp = std::get_if<base::TcpEndpoint>(&endpoint)) {
      const asio::ip::tcp::endpoint at(asio::ip::make_address(tcp->host), tcp->port);
      socket_.connect(at);
      socket_.set_option(asio::ip::tcp::no_delay(true));
    } else {
      socket_.connect(
          asio::local::stream_protocol::endpoint(std::get<base::UnixEndpoint>(endpoint).path));
    }
  }

  Socket& socket() { return socket_; }

  void send(std::string_view hex) { send_bytes(base::from_hex(hex).value()); }
  void send_bytes(base::ByteView bytes) {
    asio::write(socket_, asio::buffer(bytes.data(), bytes.size()));
  }

  /// Exactly `size` bytes; fewer only when the connection ended.
  base::Bytes receive_bytes(std::size_t size) {
    base::Bytes bytes(size);
    boost::system::error_code error;
    bytes.resize(asio::read(socket_, asio::buffer(bytes), error));
    return bytes;
  }

  std::string receive(std::size_t size) { return base::to_hex(receive_bytes(size)); }

  std::string exchange(std::string_view hex, std::size_t reply_size) {
    send(hex);
    return receive(reply_size);
  }

  void end_input() { socket_.shutdown(asio::socket_base::shutdown_send); }

  /// Closes so that the other end gets a reset.
  void reset() {
    socket_.set_option(asio::socket_base::linger(true, 0));
    socket_.close();
  }

  /// Waits for the end of the stream; false when a byte or a reset comes instead.
  bool is_at_end() {
    std::uint8_t byte = 0;
    boost::system::error_code error;
    socket_.read_some(asio::buffer(&byte, 1), error);
    return error == asio::error::eof;
  }

 private:
  asio::io_context context_;
  Socket socket_{context_};
};

/// A path for a Unix socket that no other test uses.
inline std::string unique_socket_path() {
  static int counter = 0;
  return fmt::format("{}hallmark-{}-{}.sock", ::testing::TempDir(), ::getpid(), ++counter);
}

}  // namespace hallmark::server::testing
