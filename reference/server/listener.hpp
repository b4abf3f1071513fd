#pragma once
#include <functional>
#include <memory>
#include <string>

#include "reference/model/records/connections.hpp"
#include "reference/server/client_connection.hpp"
#include "reference/server/endpoint.hpp"

namespace hallmark::server {

class Worker;

/// Accepts connections at one endpoint.
class Listener {
 public:
  /// Chooses the worker that is to serve the next connection.
  using NextWorker = std::function<Worker&()>;

  Listener() = default;
  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;
  virtual ~Listener() = default;

  /// The endpoint at which it listens, with the port that the system chose.
  virtual const StreamEndpoint& endpoint() const = 0;
  virtual void start() = 0;
  /// Stops listening and removes a Unix socket's path. To be called on the thread of its event
  /// loop.
  virtual void stop() = 0;
};

/// Binds and listens. Error: one line with the endpoint and the reason.
base::Result<std::unique_ptr<Listener>> listen(boost::asio::io_context& context,
                                               const StreamEndpoint& endpoint,
                                               Listener::NextWorker next_worker);

/// Returns the other end as CONNECTIONS shows it. IPv6 text that is longer than its field is cut.
model::Peer peer_of(const boost::asio::generic::stream_protocol::endpoint& endpoint);

}  // namespace hallmark::server
