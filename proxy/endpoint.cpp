#include "proxy/endpoint.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>

namespace hallmark::proxy {
namespace {

constexpr std::string_view scheme = "udp://";

std::optional<std::uint16_t> parse_port(std::string_view text) {
  std::uint16_t port = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), port);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return port;
}

/// Without the brackets of an IPv6 address, which needs them; empty where that is not so.
std::string_view parse_host(std::string_view text) {
  if (text.starts_with('[') && text.ends_with(']')) return text.substr(1, text.size() - 2);
  return text.find(':') == std::string_view::npos ? text : std::string_view{};
}

std::optional<Endpoint> parse(std::string_view text) {
  const std::size_t colon = text.rfind(':');
  if (!text.starts_with(scheme) || colon < scheme.size()) return std::nullopt;
  const auto host = parse_host(text.substr(scheme.size(), colon - scheme.size()));
  const auto port = parse_port(text.substr(colon + 1));
  if (host.empty() || !port) return std::nullopt;
  return Endpoint{std::string(host), *port};
}

}  // namespace

Result<Endpoint> parse_endpoint(std::string_view text) {
  if (const auto endpoint = parse(text)) return *endpoint;
  return Error{
      fmt::format("bad endpoint '{}': expected udp://host:port or udp://[ipv6]:port", text)};
}

std::string to_string(const Endpoint& endpoint) {
  const bool is_ipv6 = endpoint.host.find(':') != std::string::npos;
  return is_ipv6 ? fmt::format("udp://[{}]:{}", endpoint.host, endpoint.port)
                 : fmt::format("udp://{}:{}", endpoint.host, endpoint.port);
}

std::string to_string(const Udp::endpoint& address) {
  return to_string(Endpoint{address.address().to_string(), address.port()});
}

Result<Udp::endpoint> resolve(boost::asio::io_context& context, const Endpoint& endpoint,
                              const Udp& preferred) {
  boost::system::error_code error;
  Udp::resolver resolver(context);
  const auto found = resolver.resolve(endpoint.host, std::to_string(endpoint.port),
                                      Udp::resolver::numeric_service, error);
  if (error) {
    return Error{fmt::format("cannot resolve {}: {}", to_string(endpoint), error.message())};
  }
  const auto same_family = std::find_if(found.begin(), found.end(), [&](const auto& entry) {
    return entry.endpoint().protocol() == preferred;
  });
  return (same_family != found.end() ? same_family : found.begin())->endpoint();
}

}  // namespace hallmark::proxy
