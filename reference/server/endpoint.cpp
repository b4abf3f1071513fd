#include "reference/server/endpoint.hpp"

#include "base/endpoint.hpp"

namespace hallmark::server {
namespace {

using Socket = std::variant<base::TcpEndpoint, base::UdpEndpoint, base::UnixEndpoint>;

struct ToEndpoint {
  Endpoint operator()(const base::TcpEndpoint& tcp) const {
    return {Endpoint::Kind::tcp, tcp.host, tcp.port, {}};
  }
  Endpoint operator()(const base::UdpEndpoint& udp) const {
    return {Endpoint::Kind::udp, udp.host, udp.port, {}};
  }
  Endpoint operator()(const base::UnixEndpoint& local) const {
    return {Endpoint::Kind::unix_socket, {}, 0, local.path};
  }
};

}  // namespace

base::Result<Endpoint> parse_endpoint(std::string_view text) {
  const auto read = base::parse_endpoint<Socket>(text, base::Ports::to_listen);
  if (!read) return read.error();
  return std::visit(ToEndpoint(), *read);
}

std::string to_string(const Endpoint& endpoint) {
  switch (endpoint.kind) {
    case Endpoint::Kind::tcp: return to_string(base::TcpEndpoint{endpoint.host, endpoint.port});
    case Endpoint::Kind::udp: return to_string(base::UdpEndpoint{endpoint.host, endpoint.port});
    case Endpoint::Kind::unix_socket: break;
  }
  return to_string(base::UnixEndpoint{endpoint.path});
}

}  // namespace hallmark::server
