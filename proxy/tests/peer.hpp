#pragma once
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/udp.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "proxy/endpoint.hpp"

namespace hallmark::proxy {

/// A UDP socket of a test, on a port that the system chose. What it waits for comes, or the test
/// has failed: it waits far longer than anything takes.
class Peer {
 public:
  explicit Peer(const std::string& address = "127.0.0.1", std::uint16_t port = 0);

  Udp::endpoint address() const { return socket_.local_endpoint(); }
  int descriptor() { return socket_.native_handle(); }

  void send(const std::string& bytes, const Udp::endpoint& to);
  /// Empty when nothing has come after all.
  std::optional<std::string> receive();
  /// Everything that has come until now, without waiting.
  std::vector<std::string> received();
  /// Whose datagram `receive` gave last.
  const Udp::endpoint& sender() const { return sender_; }

 private:
  std::optional<std::string> read();

  boost::asio::io_context context_;
  Udp::socket socket_;
  Udp::endpoint sender_;
};

/// Sends back what comes, until it is destroyed.
class Echo {
 public:
  explicit Echo(const std::string& address = "127.0.0.1", std::uint16_t port = 0);
  ~Echo();

  const Udp::endpoint& address() const { return address_; }

 private:
  Peer peer_;
  Udp::endpoint address_;
  std::thread thread_;
};

}  // namespace hallmark::proxy
