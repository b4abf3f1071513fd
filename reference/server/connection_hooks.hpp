#pragma once

#include <cstddef>
#include <cstdint>

#include "protocol/codec/byte_buffer.hpp"
#include "reference/session/session.hpp"

namespace hallmark::server {

/// The way in which a connection ended.
enum class Ending : std::uint8_t { orderly, broken };

/// Is asked and told about the connections of one worker, on its thread. This one changes nothing;
/// what derives from it may.
class ConnectionHooks {
 public:
  ConnectionHooks() = default;
  ConnectionHooks(const ConnectionHooks&) = delete;
  ConnectionHooks& operator=(const ConnectionHooks&) = delete;
  virtual ~ConnectionHooks() = default;

  // A new connection, where `served` others are:

  /// True if it gets no place.
  virtual bool refuses() { return false; }
  /// True if it has to wait.
  virtual bool waits(std::size_t /*served*/) { return false; }
  /// True if the oldest connection has to go.
  virtual bool evicts_oldest(std::size_t /*served*/) { return false; }
  /// It begins with these buffers, which are empty.
  virtual void begin(protocol::ByteBuffer& /*in*/, protocol::ByteBuffer& /*out*/) {}

  // Input:

  /// Input before it is answered; holds the server's lock.
  virtual void received(const protocol::ByteBuffer& /*in*/) {}
  /// Input was answered so. True: all connections end.
  virtual bool ends_all(SessionState /*state*/) { return false; }
  /// True if the worker waits for more input; `in` is what no request was made of.
  virtual bool waits_for_input(const protocol::ByteBuffer& /*in*/) { return false; }

  // The client's half-close:

  /// True if nobody notices it.
  virtual bool half_close_unnoticed(const protocol::ByteBuffer& /*in*/) { return false; }
  /// True if what is unsent is lost with it.
  virtual bool half_close_ends() { return false; }
  /// True if something was added to the input, which is to be answered.
  virtual bool fills_up(protocol::ByteBuffer& /*in*/) { return false; }

  // Output that the client does not take:

  /// True if the connection is closed with it.
  virtual bool closes_unsent(protocol::ByteBuffer& /*out*/) { return false; }
  /// True if the worker waits until the client takes it.
  virtual bool waits_for_output() { return false; }

  // The end of a connection:

  /// It ended so, and leaves this unread and unsent.
  virtual void ended(Ending /*ending*/, const protocol::ByteBuffer& /*in*/,
                     const protocol::ByteBuffer& /*out*/) {}
  /// True if the newest connection goes with it.
  virtual bool takes_newest_along(Ending /*ending*/) { return false; }
  /// True if the newest connection receives what is published for those that are gone.
  virtual bool inherits() { return false; }
};

}  // namespace hallmark::server
