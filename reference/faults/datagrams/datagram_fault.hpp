#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "reference/faults/bug.hpp"
#include "reference/session/datagram_session.hpp"

namespace hallmark::faults {

/// The right reply to a request; empty: none.
using RightReply = std::function<std::string(std::string_view request)>;

/// A bug's memory of earlier requests.
struct DatagramMemory {
  std::string text;
  std::uint64_t number = 0;
};

/// Makes the reply of a server with one bug; empty: it does not reply.
using DatagramFault = std::function<std::string(std::string_view request, const RightReply& right,
                                                DatagramMemory& memory)>;

/// The fault that replies suffer on their way.
struct DatagramTransportFault {
  std::chrono::milliseconds pause{0};  ///< before datagrams are read, so that several have come
  bool to_last_sender = false;         ///< all replies to datagrams that were read together
  unsigned copies = 1;
};

/// A handler with that fault around `right`, which outlives it.
std::unique_ptr<server::DatagramHandler> faulty(server::DatagramHandler& right,
                                                DatagramFault fault);

Code datagrams(DatagramFault fault);

/// An id of a message with its space, and what follows it.
struct MessageParts {
  std::string id;
  std::string rest;
};
MessageParts parts_of(std::string_view message);

/// Requests are read as others.
Code of_datagram(std::string (*change)(std::string_view request));

/// Replies are spoilt behind their id.
Code of_rest(void (*spoil)(std::string& rest));

/// Returns the text in lower case.
std::string small(std::string text);

}  // namespace hallmark::faults
