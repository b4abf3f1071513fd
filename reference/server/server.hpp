#pragma once
#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "protocol/dialects.hpp"
#include "protocol/readings.hpp"
#include "reference/server/decorator.hpp"
#include "reference/server/endpoint.hpp"

namespace hallmark::server {

/// The most that strangers may make the server hold, and what happens beyond.
struct ServerLimits {
  std::size_t max_connections = 10'000;       ///< accepted and closed at once
  std::size_t max_keys = 4'000'000;           ///< 00
  std::size_t max_subscriptions = 1'000'000;  ///< 00
  /// 00; a longer value is passed over as it streams in, so the limit also bounds the bytes of a
  /// connection's unanswered requests.
  std::size_t max_value_bytes = std::size_t{1} << 20;
  /// All values of SET together: 00.
  std::size_t max_stored_bytes = std::size_t{1} << 30;
  /// Unsent replies of a connection: beyond, none of its requests is read or answered until they
  /// have been sent. The last reply, which may be a long listing, may exceed it.
  std::size_t max_output_bytes = std::size_t{1} << 20;
  /// Unsent bytes of a subscriber when one more publication comes for it: it is disconnected.
  std::size_t max_backlog_bytes = std::size_t{16} << 20;
};

/// The version of this server.
std::string_view version();

struct ServerOptions {
  protocol::Width width = protocol::Width::u16;
  /// Readings of the dialect that is served; the width is one of that dialect.
  protocol::Readings readings{protocol::throttr_7_1, protocol::Profile::deployed};
  std::vector<StreamEndpoint> listen{};  ///< at least one
  unsigned threads = 1;
  std::uint64_t seed = 0;                  ///< makes the connection ids
  std::string version{server::version()};  ///< the version in INFO, at most 16 bytes
  ServerLimits limits{};
  std::chrono::milliseconds stop_within{1'000};  ///< time to send what is pending when stopping
  std::shared_ptr<const Decorator> decorator = std::make_shared<Decorator>();  ///< not null
};

/// A server of one dialect on threads of its own.
class Server {
 public:
  Server();
  ~Server();  ///< stops
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  /// Listens and serves until `stop`. Called once.
  /// Error: one line that names the endpoint and the reason; then nothing was started.
  base::Result<void> start(const ServerOptions& options);

  /// The endpoints at which it listens, in the order of the options, with the ports the system
  /// chose.
  const std::vector<StreamEndpoint>& endpoints() const;

  /// Stops accepting and reading, sends what is pending, closes everything, removes Unix sockets
  /// and joins the threads. Does nothing when not started or already stopped.
  void stop();

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace hallmark::server
