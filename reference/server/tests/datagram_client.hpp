#pragma once
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/time.h>

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/udp.hpp>
#include <string>
#include <string_view>

#include "base/endpoint.hpp"

namespace hallmark::server::testing {

/// A client of datagrams that waits for replies. Loopback loses none while there is room; a reply
/// that never comes is an error instead of a hang.
class DatagramClient {
 public:
  using Udp = boost::asio::ip::udp;

  explicit DatagramClient(const base::UdpEndpoint& server)
      : DatagramClient(server, boost::asio::ip::make_address(server.host)) {}

  /// Connects to a server of all addresses, at one of them.
  DatagramClient(const base::UdpEndpoint& server, const boost::asio::ip::address& at)
      : server_(at, server.port), socket_(context_, server_.protocol()) {
    const timeval deadline{.tv_sec = 10, .tv_usec = 0};
    ::setsockopt(socket_.native_handle(), SOL_SOCKET, SO_RCVTIMEO, &deadline, sizeof deadline);
  }

  void send(std::string_view request) { socket_.send_to(boost::asio::buffer(request), server_); }

  std::string receive() {
    std::string reply(65'536, '\0');
    auto size = static_cast<socklen_t>(came_from_.capacity());
    // recv() is called directly: Asio waits without the socket's deadline.
    const ssize_t received = ::recvfrom(socket_.native_handle(), reply.data(), reply.size(), 0,
                                        came_from_.data(), &size);
    EXPECT_GE(received, 0) << "no reply";
    came_from_.resize(size);
    reply.resize(received < 0 ? 0 : static_cast<std::size_t>(received));
    return reply;
  }

  std::string exchange(std::string_view request) {
    send(request);
    return receive();
  }

  const Udp::endpoint& came_from() const { return came_from_; }
  Udp::socket& socket() { return socket_; }

 private:
  boost::asio::io_context context_;
  Udp::endpoint server_;
  Udp::endpoint came_from_;
  Udp::socket socket_;
};

}  // namespace hallmark::server::testing
