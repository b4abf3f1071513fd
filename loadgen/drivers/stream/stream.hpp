#pragma once
#include <boost/asio/awaitable.hpp>
#include <boost/asio/generic/stream_protocol.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/address.hpp>
#include <chrono>
#include <optional>
#include <span>
#include <vector>

#include "base/descriptor.hpp"
#include "base/error.hpp"
#include "loadgen/drivers/stream/target.hpp"
#include "loadgen/engine/poller.hpp"
#include "reports/load/load_client.hpp"

namespace hallmark::loadgen {

/// TCP or Unix, whichever the target names.
using Stream = boost::asio::generic::stream_protocol::socket;
using Endpoints = std::vector<boost::asio::generic::stream_protocol::endpoint>;

/// The endpoints of a target, in the order to try. Errors: the name does not resolve.
boost::asio::awaitable<base::Result<Endpoints>> resolve(Target target);

/// Why there is no connection.
struct NotConnected {
  std::string message;   ///< one line
  bool starved = false;  ///< the client has no port or no descriptor for it
};

/// Does the same as `connect` from one of the client's own addresses. If `source` is empty, the
/// system chooses the address.
boost::asio::awaitable<base::Expected<Stream, NotConnected>> connect_from(
    std::optional<boost::asio::ip::address> source, Endpoints endpoints,
    std::chrono::nanoseconds timeout);

/// A connected stream without Nagle's delay. Errors: none of the endpoints accepted within
/// `timeout`; the message is the reason of the last.
boost::asio::awaitable<base::Result<Stream>> connect(Endpoints endpoints,
                                                     std::chrono::nanoseconds timeout);

/// The facts that the system tells of the sockets; those that are not open are left out.
reports::SocketFacts facts_of(std::span<const base::Descriptor> sockets);

}  // namespace hallmark::loadgen
