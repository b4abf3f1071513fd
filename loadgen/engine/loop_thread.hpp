#pragma once
#include <exception>
#include <functional>
#include <thread>

#include "loadgen/client/client_use.hpp"
#include "loadgen/engine/event_loop.hpp"

namespace boost::asio {
class io_context;
}

namespace hallmark::loadgen {

/// Events that may be called from any thread: what they do is done by the one that runs `context`,
/// which outlives them.
LoopEvents handed_over(boost::asio::io_context& context, const LoopEvents& events);

/// Runs `body` in a thread of its own. What it throws goes to `broken`, on the thread that runs
/// `context`. What the system gave the thread is in `use` once it has been joined.
std::thread start_loop_thread(boost::asio::io_context& context, std::function<void()> body,
                              std::function<void(std::exception_ptr)> broken, ThreadUse& use);

}  // namespace hallmark::loadgen
