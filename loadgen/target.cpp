#include "loadgen/target.hpp"

#include <fmt/format.h>
#include <sys/un.h>

#include <charconv>

namespace hallmark::loadgen {
namespace {

constexpr std::string_view tcp_scheme = "tcp://";
constexpr std::string_view udp_scheme = "udp://";
constexpr std::string_view unix_scheme = "unix://";
constexpr std::size_t longest_path = sizeof(sockaddr_un::sun_path) - 1;

Error malformed(std::string_view text) {
  return {fmt::format(
      "target '{}' is malformed; allowed: tcp://HOST:PORT, udp://HOST:PORT, unix:///PATH", text)};
}

std::string_view without_brackets(std::string_view host) {
  const bool bracketed = host.size() > 2 && host.front() == '[' && host.back() == ']';
  return bracketed ? host.substr(1, host.size() - 2) : host;
}

template <class Address>
Result<Target> parse_address(std::string_view text, std::string_view scheme) {
  const std::string_view rest = text.substr(scheme.size());
  const auto colon = rest.rfind(':');
  if (colon == std::string_view::npos) return malformed(text);
  const std::string_view given = rest.substr(0, colon);
  const std::string_view host = without_brackets(given);
  const bool bare_ipv6 = host.size() == given.size() && host.find(':') != std::string_view::npos;
  Address target{std::string{host}, 0};
  const std::string_view port = rest.substr(colon + 1);
  const auto [end, error] = std::from_chars(port.data(), port.data() + port.size(), target.port);
  const bool whole = error == std::errc{} && end == port.data() + port.size();
  if (host.empty() || bare_ipv6 || !whole || target.port == 0) return malformed(text);
  return target;
}

Result<Target> parse_unix(std::string_view text) {
  const std::string_view path = text.substr(unix_scheme.size());
  if (!path.starts_with('/')) return malformed(text);
  if (path.size() > longest_path) {
    return Error{fmt::format("target '{}': a path has at most {} bytes", text, longest_path)};
  }
  return UnixTarget{std::string{path}};
}

}  // namespace

Result<Target> parse_target(std::string_view text) {
  if (text.starts_with(tcp_scheme)) return parse_address<TcpTarget>(text, tcp_scheme);
  if (text.starts_with(udp_scheme)) return parse_address<UdpTarget>(text, udp_scheme);
  if (text.starts_with(unix_scheme)) return parse_unix(text);
  return malformed(text);
}

}  // namespace hallmark::loadgen
