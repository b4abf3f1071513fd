#pragma once
#include "base/endpoint.hpp"

namespace hallmark::conformance {

/// The target of a certification, as `base::parse_endpoint<Target>` reads it. A command of `exec:`
/// serves at the port that it is given; one of `pipe:` speaks the line protocol of docs/adapter.md.
using Target = std::variant<base::TcpEndpoint, base::UdpEndpoint, base::UnixEndpoint,
                            base::ExecEndpoint, base::PipeEndpoint>;

}  // namespace hallmark::conformance
