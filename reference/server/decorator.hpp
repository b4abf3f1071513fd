#pragma once

#include <memory>

#include "reference/server/connection_hooks.hpp"
#include "reference/session/session.hpp"

namespace hallmark::server {

/// Puts something around the parts of a server of streams. This one puts nothing there. Outlives
/// the server, which may ask on any of its threads.
class Decorator {
 public:
  Decorator() = default;
  Decorator(const Decorator&) = delete;
  Decorator& operator=(const Decorator&) = delete;
  virtual ~Decorator() = default;

  /// Once, before anybody is served.
  virtual void around_model(model::Model& /*model*/) const {}

  /// A new session. `inner` is of that width, of the context's readings and of that connection.
  virtual std::unique_ptr<Session> around_session(std::unique_ptr<Session> inner,
                                                  protocol::Width /*width*/,
                                                  const SessionContext& /*context*/,
                                                  const model::Connection& /*connection*/) const {
    return inner;
  }

  /// Makes the hooks of one worker.
  virtual std::unique_ptr<ConnectionHooks> connection_hooks() const {
    return std::make_unique<ConnectionHooks>();
  }
};

}  // namespace hallmark::server
