#pragma once
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/udp.hpp>
#include <cstdint>
#include <string>
#include <string_view>

#include "proxy/result.hpp"

namespace hallmark::proxy {

using Udp = boost::asio::ip::udp;

/// Where the proxy listens, or whom it forwards to.
struct Endpoint {
  std::string host;        ///< a name or an address, an IPv6 one without its brackets
  std::uint16_t port = 0;  ///< to listen on: 0 lets the system choose

  friend bool operator==(const Endpoint&, const Endpoint&) = default;
};

/// Reads `udp://host:port` or `udp://[ipv6]:port`.
/// Error: one line that says what came and what is expected.
Result<Endpoint> parse_endpoint(std::string_view text);

/// The text that `parse_endpoint` reads.
std::string to_string(const Endpoint& endpoint);
std::string to_string(const Udp::endpoint& address);

/// The address of a name. Of several, one of the family of `preferred` where there is one: which of
/// them answers cannot be seen over UDP, and a proxy on 127.0.0.1 hardly means ::1 by "localhost".
/// Error: one line with the endpoint and the reason.
Result<Udp::endpoint> resolve(boost::asio::io_context& context, const Endpoint& endpoint,
                              const Udp& preferred);

}  // namespace hallmark::proxy
