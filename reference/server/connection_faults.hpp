#pragma once

#include <cstddef>

#include "reference/protocol/byte_buffer.hpp"
#include "reference/server/session.hpp"

namespace hallmark::server {

/// How a connection ended.
enum class Ending : std::uint8_t { orderly, broken };

/// What goes wrong between the connections of a worker when the mutant that is switched on says so
/// (reference/mutants/connection_mutants.hpp); without one, nothing. On the worker's thread.
class ConnectionFaults {
 public:
  /// Whether a new connection gets no place.
  bool no_place() const;
  /// Whether a new connection has to wait, where so many are served.
  bool has_to_wait(std::size_t served) const;
  /// Whether the oldest has to go, where so many are served.
  bool evicts(std::size_t served) const;
  /// Whether the newest connection goes with one that ended so.
  bool takes_the_newest_along(Ending ending) const;
  /// Whether the newest connection receives what is published for those that are gone.
  bool inherits() const;

  /// A connection ends; what it leaves unread and unsent.
  void ended(Ending ending, const protocol::ByteBuffer& in, const protocol::ByteBuffer& out);
  /// What a new one begins with.
  void begin(protocol::ByteBuffer& in, protocol::ByteBuffer& out);

 private:
  std::size_t ended_ = 0;
  std::size_t broken_ = 0;
  protocol::ByteBuffer unread_;
  protocol::ByteBuffer unsent_;
};

/// Of one connection.
namespace connection_faults {

/// Waits for the descriptor to become readable or writable, half a minute at most.
void wait_readable(int descriptor);
void wait_writable(int descriptor);

/// What the client's half-close does to a connection: whether it is all over at once.
bool half_close_ends();
bool half_close_unnoticed();
/// Fills a request that is not whole up; called until nothing is left to answer.
bool fill_up(protocol::ByteBuffer& in);
/// Whether input of which no request is whole yet is waited for, and unsent output.
bool waits_for_input(const protocol::ByteBuffer& in);
bool waits_for_output();
/// Output that the client did not take: what is done with it. True: the connection is closed.
bool spoil_unsent(protocol::ByteBuffer& out);
/// Input that was read: may end the process.
void take(const protocol::ByteBuffer& in);
/// After input was answered. True: all connections end. May end the process.
bool end_all(SessionState state);

}  // namespace connection_faults

}  // namespace hallmark::server
