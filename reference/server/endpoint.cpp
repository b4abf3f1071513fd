#include "reference/server/endpoint.hpp"

#include <fmt/format.h>

#include <charconv>
#include <optional>

namespace hallmark::server {

namespace {

constexpr std::string_view tcp_scheme = "tcp://";
constexpr std::string_view udp_scheme = "udp://";
constexpr std::string_view unix_scheme = "unix://";
// What fits sockaddr_un with its terminating zero.
constexpr std::size_t longest_path = 107;

std::optional<std::uint16_t> parse_port(std::string_view text) {
  std::uint16_t port = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), port);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return port;
}

std::optional<Endpoint> parse_host(Endpoint::Kind kind, std::string_view rest) {
  const std::size_t colon = rest.rfind(':');
  if (colon == std::string_view::npos) return std::nullopt;
  std::string_view host = rest.substr(0, colon);
  const auto port = parse_port(rest.substr(colon + 1));
  if (host.starts_with('[') && host.ends_with(']')) {
    host = host.substr(1, host.size() - 2);
  } else if (host.find(':') != std::string_view::npos) {
    return std::nullopt;
  }
  if (host.empty() || !port) return std::nullopt;
  return Endpoint{kind, std::string(host), *port, {}};
}

std::optional<Endpoint> parse_unix(std::string_view path) {
  if (!path.starts_with('/') || path.size() > longest_path) return std::nullopt;
  return Endpoint{Endpoint::Kind::unix_socket, {}, 0, std::string(path)};
}

std::optional<Endpoint> parse(std::string_view text) {
  if (text.starts_with(tcp_scheme)) {
    return parse_host(Endpoint::Kind::tcp, text.substr(tcp_scheme.size()));
  }
  if (text.starts_with(udp_scheme)) {
    return parse_host(Endpoint::Kind::udp, text.substr(udp_scheme.size()));
  }
  if (text.starts_with(unix_scheme)) return parse_unix(text.substr(unix_scheme.size()));
  return std::nullopt;
}

}  // namespace

protocol::Result<Endpoint> parse_endpoint(std::string_view text) {
  if (const auto endpoint = parse(text)) return *endpoint;
  return protocol::Error{fmt::format(
      "bad endpoint '{}': expected tcp://host:port, tcp://[ipv6]:port, the same with udp, or "
      "unix:///path (path of at most {} bytes)",
      text, longest_path)};
}

std::string to_string(const Endpoint& endpoint) {
  if (endpoint.kind == Endpoint::Kind::unix_socket) return fmt::format("unix://{}", endpoint.path);
  const std::string_view scheme = endpoint.kind == Endpoint::Kind::udp ? udp_scheme : tcp_scheme;
  const bool is_ipv6 = endpoint.host.find(':') != std::string::npos;
  return is_ipv6 ? fmt::format("{}[{}]:{}", scheme, endpoint.host, endpoint.port)
                 : fmt::format("{}{}:{}", scheme, endpoint.host, endpoint.port);
}

}  // namespace hallmark::server
