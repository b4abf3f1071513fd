#pragma once
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/udp.hpp>
#include <string>

#include "base/endpoint.hpp"
#include "base/error.hpp"

namespace hallmark::proxy {

using Udp = boost::asio::ip::udp;

/// The place where the proxy listens, or to which it forwards.
using Endpoint = base::UdpEndpoint;

/// The address in the form that `base::parse_endpoint` reads.
std::string to_string(const Udp::endpoint& address);

/// The address of a name. Of several, one of the family of `preferred` where there is one: which of
/// them answers cannot be seen over UDP, and a proxy on 127.0.0.1 hardly means ::1 by "localhost".
/// Error: one line with the endpoint and the reason.
base::Result<Udp::endpoint> resolve(boost::asio::io_context& context, const Endpoint& endpoint,
                                    const Udp& preferred);

}  // namespace hallmark::proxy
