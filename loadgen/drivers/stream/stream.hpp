#pragma once
#include <boost/asio/awaitable.hpp>
#include <boost/asio/generic/stream_protocol.hpp>
#include <boost/asio/io_context.hpp>
#include <chrono>
#include <span>
#include <vector>

#include "base/descriptor.hpp"
#include "base/error.hpp"
#include "loadgen/drivers/stream/target.hpp"
#include "loadgen/engine/poller.hpp"
#include "reports/load_client.hpp"

namespace hallmark::loadgen {

/// TCP or Unix, whichever the target names.
using Stream = boost::asio::generic::stream_protocol::socket;
using Endpoints = std::vector<boost::asio::generic::stream_protocol::endpoint>;

/// Where a target can be reached, in the order to try. Errors: the name does not resolve.
boost::asio::awaitable<base::Result<Endpoints>> resolve(Target target);

/// A connected stream without Nagle's delay. Errors: none of the endpoints accepted within
/// `timeout`; the message is the reason of the last.
boost::asio::awaitable<base::Result<Stream>> connect(Endpoints endpoints,
                                                     std::chrono::nanoseconds timeout);

/// What the system says of them; those that are not open are left out.
reports::SocketFacts facts_of(std::span<const base::Descriptor> sockets);

}  // namespace hallmark::loadgen
