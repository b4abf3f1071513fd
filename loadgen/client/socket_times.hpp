#pragma once
#include <sys/socket.h>

#include <cstdint>
#include <optional>
#include <span>

#include "reports/load/load_tail.hpp"

namespace hallmark::loadgen {

/// Asks the system to tell when it sends and receives what goes over a TCP socket (Linux,
/// SO_TIMESTAMPING, software stamps). False: it does not.
bool ask_for_times(int socket);

/// The same for what the socket receives alone. Every message on the machine then costs its system
/// some more: about 30 ns.
bool ask_for_receive_times(int socket);

/// The bytes that one read of a socket returned. `bytes` is the result of recv(2).
struct TimedRead {
  std::int64_t bytes = 0;
  std::int64_t received_ns = -1;  ///< CLOCK_REALTIME, when the last of them came; -1: not told
};
TimedRead read_with_time(int socket, std::span<std::uint8_t> into);

/// The software stamp of a message, CLOCK_REALTIME; -1: none.
std::int64_t stamp_in(msghdr& message);

/// One note of the error queue: everything up to that byte of the stream has been sent.
struct SentNote {
  std::uint32_t last_byte = 0;
  std::int64_t sent_ns = 0;  ///< CLOCK_REALTIME
};
/// The next note; nothing when there is none.
std::optional<SentNote> next_sent_note(int socket);

/// Nanoseconds by which CLOCK_REALTIME is ahead of the steady clock now.
std::int64_t realtime_ahead();

/// The facts that the system tells of a TCP connection now. Empty for any other socket.
std::optional<reports::TcpFacts> tcp_state(int socket);

}  // namespace hallmark::loadgen
