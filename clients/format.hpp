#pragma once

#include "base/bytes.hpp"
#include "protocol/readings.hpp"

namespace hallmark::clients {

/// The format that a client is held to: a dialect at a width, with an answer to each of its
/// readings.
struct Format {
  protocol::Width width = protocol::Width::none;
  protocol::Readings readings;

  const protocol::Dialect& dialect() const { return readings.dialect(); }
  bool over_datagrams() const { return dialect().transport == protocol::Transport::datagram; }
};

/// The operation that bytes ask for: of a stream those that begin a request, of datagrams all of
/// one. Null where they are not a request.
const protocol::Operation* requested_by(const Format& format, base::ByteView bytes);

}  // namespace hallmark::clients
