#include "conformance/target.hpp"

#include <fmt/format.h>
#include <sys/un.h>

#include <charconv>

namespace hallmark::conformance {
namespace {

using ParsedTarget = boost::system::result<Target, std::string>;

std::string not_a_target(std::string_view text) {
  return fmt::format(
      "'{}' is no target; allowed: tcp://HOST:PORT, udp://HOST:PORT, unix:///PATH, exec:COMMAND "
      "with {{port}}, pipe:COMMAND",
      text);
}

bool starts(std::string_view& text, std::string_view scheme) {
  if (!text.starts_with(scheme)) return false;
  text.remove_prefix(scheme.size());
  return true;
}

template <class Internet>
ParsedTarget internet_target(std::string_view text, std::string_view rest) {
  const auto colon = rest.rfind(':');
  if (colon == std::string_view::npos) return not_a_target(text);
  std::string_view host = rest.substr(0, colon);
  const std::string_view port = rest.substr(colon + 1);
  const bool bracketed = host.size() > 2 && host.front() == '[' && host.back() == ']';
  if (bracketed) host = host.substr(1, host.size() - 2);
  std::uint16_t number = 0;
  const auto [end, error] = std::from_chars(port.data(), port.data() + port.size(), number);
  const bool whole = error == std::errc{} && end == port.data() + port.size();
  const bool bare_ipv6 = !bracketed && host.find(':') != std::string_view::npos;
  if (host.empty() || bare_ipv6 || !whole || number == 0) return not_a_target(text);
  return Target(Internet{std::string(host), number});
}

ParsedTarget unix_target(std::string_view text, std::string_view path) {
  if (!path.starts_with('/')) return not_a_target(text);
  constexpr std::size_t longest = sizeof(sockaddr_un::sun_path) - 1;
  if (path.size() > longest)
    return fmt::format("'{}': the path of a socket has at most {} bytes", text, longest);
  return Target(UnixTarget{std::string(path)});
}

ParsedTarget exec_target(std::string_view text, std::string_view command) {
  if (command.find("{port}") == std::string_view::npos) {
    return fmt::format("'{}': the command has to name its port as {{port}}", text);
  }
  return Target(ExecTarget{std::string(command)});
}

ParsedTarget pipe_target(std::string_view text, std::string_view command) {
  if (command.find_first_not_of(' ') == std::string_view::npos)
    return fmt::format("'{}' names no command; allowed: pipe:COMMAND", text);
  return Target(PipeTarget{std::string(command)});
}

}  // namespace

ParsedTarget parse_target(std::string_view text) {
  std::string_view rest = text;
  if (starts(rest, "tcp://")) return internet_target<TcpTarget>(text, rest);
  if (starts(rest, "udp://")) return internet_target<UdpTarget>(text, rest);
  if (starts(rest, "unix://")) return unix_target(text, rest);
  if (starts(rest, "exec:")) return exec_target(text, rest);
  if (starts(rest, "pipe:")) return pipe_target(text, rest);
  return not_a_target(text);
}

}  // namespace hallmark::conformance
