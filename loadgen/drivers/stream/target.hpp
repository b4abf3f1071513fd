#pragma once
#include "base/endpoint.hpp"

namespace hallmark::loadgen {

/// A target that is put under load and is not a store. `base::parse_endpoint<Target>` reads it.
using Target = std::variant<base::TcpEndpoint, base::UnixEndpoint, base::UdpEndpoint>;

/// True if the target speaks datagrams, and so a dialect of datagrams.
inline bool of_datagrams(const Target& target) {
  return std::holds_alternative<base::UdpEndpoint>(target);
}

}  // namespace hallmark::loadgen
