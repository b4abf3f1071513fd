#pragma once

#include <vector>

#include "clients/serve/message.hpp"
#include "clients/serve/steps.hpp"

namespace hallmark::clients {

class StreamService;

/// Decides what becomes of the messages of one server. Deterministic: depends on its seed and on
/// the messages, not on time. Used by the thread of the server only.
class Disturbance {
 public:
  Disturbance() = default;
  Disturbance(const Disturbance&) = delete;
  Disturbance& operator=(const Disturbance&) = delete;
  virtual ~Disturbance() = default;

  /// Before the client comes: what other clients have left in the server.
  virtual void prepare(StreamService& /*service*/) {}

  /// A message is to be sent. Messages of one connection come in their order.
  virtual Treatment treat(const Message& message) { return untouched(message.bytes); }

  /// After the reply to `message`: other clients may ask for something. Returns what this delivers
  /// to those who are seen; these messages are treated as all are.
  virtual std::vector<Message> others_act(const Message& /*message*/, StreamService& /*service*/) {
    return {};
  }
};

}  // namespace hallmark::clients
