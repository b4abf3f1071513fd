#pragma once

#include <chrono>
#include <cstdint>

#include "base/bytes.hpp"
#include "captures/event.hpp"
#include "pcapng/frames.hpp"

/// The records that a relay passes to the decoding thread.
namespace hallmark::observe {

using captures::Side;

/// Nanoseconds since the observation began.
using Time = std::chrono::nanoseconds;

constexpr std::size_t index_of(Side side) { return side == Side::client ? 0 : 1; }

/// The two ends of a connection, or of a client's datagrams.
struct Ends {
  pcapng::Address client{};
  pcapng::Address server{};
};

struct Record {
  enum class Kind : std::uint8_t {
    opened,    ///< `ends` are those of a new connection
    bytes,     ///< passed from `side` to the other; of datagrams: one of them
    missed,    ///< `number` bytes of `side` passed for which the queue had no room
    finished,  ///< the side sends nothing more
    reset,     ///< the side broke the connection off
    closed,    ///< the last record of its connection
  };

  Kind kind = Kind::bytes;
  Side side = Side::client;
  std::uint64_t connection = 0;  ///< from 1, in the order in which they were opened
  Time at{0};
  /// The number of bytes of the other side that had been passed on to this one before. Only with
  /// `bytes`.
  std::uint64_t number = 0;
  base::ByteView bytes{};  ///< those of `bytes` and of `opened`; valid while the record is read
};

}  // namespace hallmark::observe
