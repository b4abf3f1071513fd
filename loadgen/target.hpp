#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

#include "loadgen/result.hpp"

namespace hallmark::loadgen {

struct TcpTarget {
  std::string host;
  std::uint16_t port = 0;
};

struct UnixTarget {
  std::string path;
};

struct UdpTarget {
  std::string host;
  std::uint16_t port = 0;
};

using Target = std::variant<TcpTarget, UnixTarget, UdpTarget>;

/// Whether it speaks datagrams, and so a dialect of datagrams.
inline bool of_datagrams(const Target& target) { return std::holds_alternative<UdpTarget>(target); }

/// Reads `tcp://host:port` or `udp://host:port` (an IPv6 host in brackets), or `unix:///path`.
Result<Target> parse_target(std::string_view text);

}  // namespace hallmark::loadgen
