#pragma once
#include <memory>
#include <mutex>
#include <vector>

#include "reference/model/model.hpp"
#include "reference/server/decorator.hpp"
#include "reference/server/server.hpp"
#include "reference/server/server_clock.hpp"
#include "reference/session/session.hpp"

namespace hallmark::server {

class Worker;

/// The state that the threads of a server share. Whoever touches the model or another thread's
/// mailbox holds the mutex; it is taken once for everything that one read brought.
struct SharedState {
  explicit SharedState(const ServerOptions& server_options);
  ~SharedState();

  const Decorator& decorator() const { return *options.decorator; }

  const ServerOptions options;
  const ServerClock clock{};
  std::mutex mutex{};
  model::Model model;
  const SessionContext session_context;
  std::vector<std::unique_ptr<Worker>> workers{};  ///< fixed before the first connection
};

}  // namespace hallmark::server
