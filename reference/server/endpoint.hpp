#pragma once
#include "base/endpoint.hpp"

namespace hallmark::server {

/// The place where a server of a stream dialect listens.
using StreamEndpoint = std::variant<base::TcpEndpoint, base::UnixEndpoint>;

}  // namespace hallmark::server
