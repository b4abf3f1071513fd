#pragma once
#include <chrono>
#include <memory>
#include <mutex>
#include <vector>

#include "reference/model/model.hpp"
#include "reference/server/server.hpp"
#include "reference/server/session.hpp"

namespace hallmark::server {

class Worker;

/// Wall-clock time that never goes back: read once at the start, then advanced by the steady clock.
class ServerClock {
 public:
  model::Time now() const {
    return started_at_ +
           (std::chrono::steady_clock::now() - steady_start_) / std::chrono::nanoseconds(1);
  }
  model::Time started_at() const { return started_at_; }

 private:
  std::chrono::steady_clock::time_point steady_start_ = std::chrono::steady_clock::now();
  model::Time started_at_ =
      std::chrono::system_clock::now().time_since_epoch() / std::chrono::nanoseconds(1);
};

/// What the threads of a server share. Whoever touches the model or another thread's mailbox holds
/// the mutex; it is taken once for everything that one read brought.
struct SharedState {
  explicit SharedState(const ServerOptions& server_options);

  const ServerOptions options;
  const ServerClock clock{};
  std::mutex mutex{};
  model::Model model;
  const SessionContext session_context;
  std::vector<std::unique_ptr<Worker>> workers{};  ///< fixed before the first connection
};

}  // namespace hallmark::server
