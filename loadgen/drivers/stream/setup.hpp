#pragma once
#include <boost/asio/awaitable.hpp>
#include <chrono>
#include <functional>
#include <span>

#include "loadgen/drivers/stream/requests.hpp"
#include "loadgen/drivers/stream/stream.hpp"

namespace hallmark::loadgen {

/// Told of each step that was answered.
using StepObserver = std::function<void(const SetupStep&, const CheckedReply&)>;

/// Sends the steps over `stream`, many at a time, and checks each reply. Errors: the connection
/// fails, nothing comes for `timeout`, or a reply is not what it must be.
boost::asio::awaitable<base::Result<void>> play(Stream& stream, const Requests& requests,
                                                std::span<const SetupStep> steps,
                                                std::chrono::nanoseconds timeout,
                                                StepObserver answered = {});

}  // namespace hallmark::loadgen
