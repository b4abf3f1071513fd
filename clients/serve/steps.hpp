#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "base/bytes.hpp"

namespace hallmark::clients {

/// A thing that is done on a connection, one after the other.
struct Step {
  enum class Kind : std::uint8_t {
    send,        ///< `bytes` in one write; of datagrams: one datagram
    hold,        ///< `bytes` wait for the next ones, to leave in one write; at most `time`
    pause,       ///< nothing for `time`
    flood,       ///< `bytes` again and again, `times` times
    close,       ///< the connection ends, orderly
    reset,       ///< the connection ends by a reset
    half_close,  ///< the server sends nothing more, and goes on reading
    restart,     ///< the server forgets everything, and all connections end
  };
  Kind kind = Kind::send;
  base::Bytes bytes{};
  std::chrono::nanoseconds time{};
  std::uint64_t times = 0;
};

inline Step send(base::Bytes bytes) { return {Step::Kind::send, std::move(bytes)}; }
inline Step hold(base::Bytes bytes, std::chrono::nanoseconds at_most) {
  return {Step::Kind::hold, std::move(bytes), at_most};
}
inline Step pause(std::chrono::nanoseconds time) { return {Step::Kind::pause, {}, time}; }
inline Step flood(base::Bytes bytes, std::uint64_t times) {
  return {Step::Kind::flood, std::move(bytes), {}, times};
}
inline Step ended_by(Step::Kind kind) { return {kind}; }

/// When a change has reached the client, so that what its tests say counts.
enum class Reach : std::uint8_t {
  never,        ///< nothing was changed
  begun,        ///< the first step was performed
  performed,    ///< all steps were performed
  joined,       ///< it left in one write with another message
  asked_again,  ///< the client has sent another request on this connection afterwards
};

/// The steps by which a message is sent, and what the client has to do to meet them.
struct Treatment {
  std::vector<Step> steps{};
  Reach reach = Reach::never;
  std::string what{};  ///< the change, for people; empty if there is none
};

/// Sends the message as an undisturbed server does.
inline Treatment untouched(const base::Bytes& bytes) {
  Treatment treatment;
  if (!bytes.empty()) treatment.steps.push_back(send(bytes));
  return treatment;
}

}  // namespace hallmark::clients
