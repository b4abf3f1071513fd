#include <fmt/format.h>

#include "base/endpoint.hpp"

namespace hallmark::base {
namespace {

/// An IPv6 address needs its brackets.
std::string host_text(const std::string& host) {
  return host.find(':') == host.npos ? host : fmt::format("[{}]", host);
}

/// libpq takes a password as a parameter, too.
std::string without_password_parameter(std::string text) {
  constexpr std::string_view name = "password=";
  const auto found = text.find(name);
  if (found == text.npos) return text;
  const auto begin = found + name.size();
  const auto end = std::min(text.find('&', begin), text.size());
  return text.replace(begin, end - begin, "***");
}

}  // namespace

std::string without_password(std::string_view text) {
  const auto scheme = text.find("://");
  // A password may hold what looks like the end of a scheme.
  const bool has_scheme = scheme != text.npos && text.find_first_of(":@/") == scheme;
  const auto begin = has_scheme ? scheme + 3 : 0;
  const auto at = text.rfind('@');
  const auto colon = text.find(':', begin);
  if (at == text.npos || colon > at) return std::string(text);
  // Without a scheme it can be anything, such as `exec:` and a command.
  const auto user = text.substr(0, text.find('@'));
  if (begin == 0 && user.find_first_of(" /") != user.npos) return std::string(text);
  return fmt::format("{}***{}", text.substr(0, colon + 1), text.substr(at));
}

std::string to_string(const TcpEndpoint& endpoint) {
  return fmt::format("tcp://{}:{}", host_text(endpoint.host), endpoint.port);
}

std::string to_string(const UdpEndpoint& endpoint) {
  return fmt::format("udp://{}:{}", host_text(endpoint.host), endpoint.port);
}

std::string to_string(const UnixEndpoint& endpoint) { return "unix://" + endpoint.path; }

std::string to_string(const ExecEndpoint& endpoint) { return "exec:" + endpoint.command; }

std::string to_string(const PipeEndpoint& endpoint) { return "pipe:" + endpoint.command; }

std::string to_string(const RedisEndpoint& endpoint) {
  const bool known = !endpoint.user.empty() || !endpoint.password.empty();
  const std::string who =
      !known ? "" : fmt::format("{}{}@", endpoint.user, endpoint.password.empty() ? "" : ":***");
  if (!endpoint.socket.empty()) {
    const auto database = endpoint.database == 0 ? "" : fmt::format("?db={}", endpoint.database);
    return fmt::format("redis+unix://{}{}{}", who, endpoint.socket, database);
  }
  const auto database = endpoint.database == 0 ? "" : fmt::format("/{}", endpoint.database);
  return fmt::format("redis://{}{}:{}{}", who, host_text(endpoint.host), endpoint.port, database);
}

std::string to_string(const PostgresEndpoint& endpoint) {
  return without_password_parameter(without_password(endpoint.url));
}

std::string to_string(const FileEndpoint& endpoint) {
  const std::string path = endpoint.path.string();
  // Without the scheme, a path may look like another endpoint.
  const auto read = parse_endpoint<FileEndpoint>(path);
  return read && read->path.native() == path ? path : "file:" + path;
}

}  // namespace hallmark::base
