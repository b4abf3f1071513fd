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

using Target = std::variant<TcpTarget, UnixTarget>;

/// Reads `tcp://host:port` (an IPv6 host in brackets) or `unix:///path`.
Result<Target> parse_target(std::string_view text);

}  // namespace hallmark::loadgen
