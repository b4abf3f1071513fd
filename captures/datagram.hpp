#pragma once

#include <optional>
#include <string>
#include <vector>

#include "captures/event.hpp"
#include "captures/format.hpp"

/// Datagrams of a dialect of text: each is one message, or none.
namespace hallmark::captures {

/// The message that a datagram is, or the one that it is nearest to.
struct Recognised {
  const protocol::Operation* operation = nullptr;  ///< null: near to none
  std::string why;  ///< one line that says why it is not a message; empty: it is one

  bool is_message() const { return why.empty(); }
};

/// The request that the bytes are, by their command.
Recognised as_request(const Format& format, ByteView datagram);

/// The reply that the bytes are, to whichever operation.
Recognised as_reply(const Format& format, ByteView datagram);

/// The reply to `operation` that the bytes should be.
Recognised as_reply_to(const Format& format, const protocol::Operation& operation,
                       ByteView datagram);

/// The sender of the bytes, if they are a message: nothing is both a request and a reply.
std::optional<Side> sender_of(const Format& format, ByteView datagram);

/// The same of any bytes: the sender of the message that they are nearest to; if none, the client.
Side likely_sender_of(const Format& format, ByteView datagram);

/// The reading that keeps a request from being answered, with an answer under which it would be.
std::optional<protocol::When> unanswered_by(const Format& format,
                                            const protocol::MessageView& request);

/// The contradictions between the fields of a message, a line each.
std::vector<std::string> contradictions_in(const protocol::MessageView& message);

}  // namespace hallmark::captures
