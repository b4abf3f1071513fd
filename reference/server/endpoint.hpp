#pragma once
#include <cstdint>
#include <string>
#include <string_view>

#include "base/error.hpp"

namespace hallmark::server {

/// Where a server listens.
struct Endpoint {
  enum class Kind : std::uint8_t { tcp, unix_socket, udp };

  Kind kind = Kind::tcp;
  std::string host;  ///< of TCP and UDP: a name or an address, an IPv6 one without its brackets
  std::uint16_t port = 0;  ///< of TCP and UDP; 0 lets the system choose
  std::string path;        ///< of a Unix socket

  friend bool operator==(const Endpoint&, const Endpoint&) = default;
};

/// Reads `tcp://host:port`, `tcp://[ipv6]:port`, both with udp as well, or `unix:///path`.
/// Error: one line that says what came and what is expected.
base::Result<Endpoint> parse_endpoint(std::string_view text);

/// The text that `parse_endpoint` reads.
std::string to_string(const Endpoint& endpoint);

}  // namespace hallmark::server
