#pragma once
#include <boost/asio/awaitable.hpp>
#include <chrono>
#include <span>

#include "loadgen/requests.hpp"
#include "loadgen/stream.hpp"

namespace hallmark::loadgen {

/// Sends the steps over `stream`, many at a time, and checks each reply. Errors: the connection
/// fails, nothing comes for `timeout`, or a reply is not what it must be.
boost::asio::awaitable<Result<void>> play(Stream& stream, const Requests& requests,
                                          std::span<const SetupStep> steps,
                                          std::chrono::nanoseconds timeout);

}  // namespace hallmark::loadgen
