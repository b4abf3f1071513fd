#pragma once

#include <cstdint>
#include <string_view>

#include "base/bytes.hpp"
#include "protocol/dialect.hpp"

namespace hallmark::clients {

/// A message of the reference server, before anything is done to it.
struct Message {
  /// Connections are counted from 1 as they are made; of datagrams: peers as they first appear.
  std::uint64_t connection = 0;
  /// The place among the messages of its connection, from 1.
  std::uint64_t number = 0;
  /// The operation that is answered; null for a delivery and for bytes that are not a request.
  const protocol::Operation* operation = nullptr;
  /// The push that it is; null for a reply.
  const protocol::Push* push = nullptr;
  base::Bytes request{};
  base::Bytes bytes{};  ///< empty where the server is silent
  /// True if nothing else that this client has sent waits for an answer.
  bool last = true;

  /// "QUERY", "EVENT"; empty for an answer to bytes that are not a request.
  std::string_view name() const {
    if (push != nullptr) return push->name;
    return operation == nullptr ? std::string_view() : std::string_view(operation->name);
  }
};

}  // namespace hallmark::clients
