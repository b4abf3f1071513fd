#pragma once

#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <thread>

#include "loadgen/client/client_use.hpp"
#include "loadgen/results/tally.hpp"

namespace boost::asio {
class io_context;
}

namespace hallmark::loadgen {

/// What a worker tells while it runs, whatever the transport.
struct WorkerEvents {
  /// All that was counted since the last call; `second` counts from the end of the warm-up, which
  /// itself is second -1. The `last` one covers what is left, which may be more or less than a
  /// second.
  std::function<void(std::int64_t second, std::unique_ptr<Tally>, bool last)> report;
  /// The last report has been made. `end_ns` is when the last request ended.
  std::function<void(std::int64_t end_ns)> done;
  /// Of streams: another socket is wanted for a connection, which `adopt` brings; `gone`: it has
  /// none any more, else it is to be replaced.
  std::function<void(std::uint32_t connection, bool gone)> lost = {};
};

/// Events that may be called from any thread: what they do is done by the one that runs `context`,
/// which outlives them.
WorkerEvents handed_over(boost::asio::io_context& context, const WorkerEvents& events);

/// Runs `body` in a thread of its own. What it throws goes to `broken`, on the thread that runs
/// `context`. What the system gave the thread is in `use` once it has been joined.
std::thread start_worker_thread(boost::asio::io_context& context, std::function<void()> body,
                                std::function<void(std::exception_ptr)> broken, ThreadUse& use);

}  // namespace hallmark::loadgen
