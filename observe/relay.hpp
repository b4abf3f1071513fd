#pragma once

#include <memory>

#include "observe/sockets.hpp"
#include "observe/tap.hpp"

namespace hallmark::observe {

/// Passes bytes on between clients and the target, unchanged: one thread that waits for sockets
/// alone. It never waits for the decoding.
class Relay {
 public:
  Relay() = default;
  virtual ~Relay() = default;
  Relay(const Relay&) = delete;
  Relay& operator=(const Relay&) = delete;

  /// Relays until `stop` on the calling thread; then closes all connections.
  virtual void run() = 0;
  /// May be called by any thread.
  virtual void stop() = 0;
};

/// `tap` and `counts` have to outlive the relay. Throws std::system_error when the system has no
/// descriptors left.
std::unique_ptr<Relay> make_stream_relay(Listener listener, const SocketAddress& target, Tap& tap,
                                         RelayCounts& counts);

/// `most_clients` at a time, a socket each; beyond, the one that was silent for longest is
/// forgotten.
std::unique_ptr<Relay> make_datagram_relay(Listener listener, const SocketAddress& target,
                                           std::size_t most_clients, Tap& tap, RelayCounts& counts);

}  // namespace hallmark::observe
