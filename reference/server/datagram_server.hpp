#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/endpoint.hpp"
#include "protocol/dialects.hpp"
#include "protocol/readings.hpp"
#include "protocol/rules/ratelimit_rules.hpp"
#include "reference/server/datagram_decorator.hpp"

namespace hallmark::server {

struct DatagramServerOptions {
  protocol::Readings readings{protocol::ratelimit_udp, protocol::Profile::deployed};
  protocol::ratelimit::Rules rules = protocol::ratelimit::example_rules();
  std::vector<base::UdpEndpoint> listen{};  ///< at least one
  /// Beyond: a new key takes the place of one that nobody has used for 64 periods; where there is
  /// none, it is answered as at its first use and not counted.
  std::size_t max_keys = 4'000'000;
  /// True if the system may cut several replies to one client out of one piece. They arrive as if
  /// sent one by one; a packet capture on loopback shows the pieces.
  bool merges_replies = true;
  std::size_t batch = 64;                      ///< datagrams of a system call, at least 1
  int receive_buffer_bytes = 8 * 1024 * 1024;  ///< asked for, for each endpoint
  std::shared_ptr<DatagramDecorator> decorator =
      std::make_shared<DatagramDecorator>();  ///< not null
};

/// The fate of the datagrams. Each that was received is answered, ignored or a send error.
struct DatagramCounts {
  std::uint64_t received = 0;
  std::uint64_t answered = 0;
  std::uint64_t ignored = 0;      ///< got no reply, because they are no requests
  std::uint64_t send_errors = 0;  ///< replies that the system refused to send
  std::uint64_t dropped = 0;      ///< by the system before they were received

  friend bool operator==(const DatagramCounts&, const DatagramCounts&) = default;
};

/// One line for people.
std::string to_string(const DatagramCounts& counts);

/// A server of ratelimit-udp on a thread of its own.
class DatagramServer {
 public:
  DatagramServer();
  ~DatagramServer();  ///< stops
  DatagramServer(const DatagramServer&) = delete;
  DatagramServer& operator=(const DatagramServer&) = delete;

  /// Binds and serves until `stop`. Called once.
  /// Error: one line that names the endpoint and the reason; then nothing was started.
  base::Result<void> start(const DatagramServerOptions& options);

  /// The endpoints at which it listens, in the order of the options, with the ports the system
  /// chose.
  const std::vector<base::UdpEndpoint>& endpoints() const;

  /// The smallest receive buffer that the system granted an endpoint, in its own counting.
  int receive_buffer_bytes() const;

  /// Counted so far, or up to the end where it was stopped.
  DatagramCounts counts() const;

  /// Answers the batch at hand, then closes the sockets and joins the thread. Does nothing when
  /// not started or already stopped.
  void stop();

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace hallmark::server
