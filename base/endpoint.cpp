#include "base/endpoint.hpp"

#include <arpa/inet.h>
#include <fmt/format.h>

#include <array>

#include "base/authority.hpp"
#include "base/missing_scheme.hpp"
#include "base/number.hpp"
#include "base/store_endpoint.hpp"
#include "base/text.hpp"

namespace hallmark::base {
namespace {

using detail::EndpointKinds;

/// The result of a parser; its error says only what is wrong.
using Parsed = Result<Endpoint>;
using Parser = Parsed (*)(std::string_view rest, Ports ports);

template <class Internet>
Parsed parse_internet(std::string_view rest, Ports ports) {
  const auto authority = parse_authority(rest);
  if (!authority) return authority.error();
  if (!authority->user.empty() || !authority->password.empty()) return Error{"it takes no user"};
  if (!authority->port) return Error{"no port"};
  if (*authority->port == 0 && ports == Ports::to_connect)
    return Error{"the port is not 1 to 65535"};
  return Endpoint(Internet{authority->host, *authority->port});
}

Parsed parse_unix(std::string_view path, Ports) {
  if (!path.starts_with('/')) return Error{"no absolute path"};
  if (path.size() > longest_socket_path) {
    return Error{fmt::format("the path of a socket has at most {} bytes", longest_socket_path)};
  }
  return Endpoint(UnixEndpoint{std::string(path)});
}

Parsed parse_exec(std::string_view command, Ports) {
  if (command.find("{port}") == command.npos) return Error{"the command does not name its {port}"};
  return Endpoint(ExecEndpoint{std::string(command), {}});
}

Parsed parse_pipe(std::string_view command, Ports) {
  if (command.find_first_not_of(' ') == command.npos) return Error{"no command"};
  return Endpoint(PipeEndpoint{std::string(command)});
}

Parsed parse_file(std::string_view path, Ports) {
  if (path.empty()) return Error{"no path"};
  return Endpoint(FileEndpoint{path});
}

template <class Kind>
constexpr EndpointKinds kind = detail::kinds_of<Kind>();

struct Scheme {
  std::string_view prefix;
  EndpointKinds kind;
  Parser parse;
  std::string_view form;  ///< for people; empty: another scheme's says it
  /// The port that servers of this kind usually have, 0 if there is none. Nothing: it has no port.
  std::optional<std::uint16_t> usual_port{};
};

constexpr std::array schemes{
    Scheme{"tcp://", kind<TcpEndpoint>, parse_internet<TcpEndpoint>, "tcp://HOST:PORT", 0},
    Scheme{"udp://", kind<UdpEndpoint>, parse_internet<UdpEndpoint>, "udp://HOST:PORT", 0},
    Scheme{"unix://", kind<UnixEndpoint>, parse_unix, "unix:///PATH"},
    Scheme{"exec:", kind<ExecEndpoint>, parse_exec, "exec:COMMAND with {port} in it"},
    Scheme{"pipe:", kind<PipeEndpoint>, parse_pipe, "pipe:COMMAND"},
    Scheme{"redis://", kind<RedisEndpoint>, parse_redis,
           "redis://[USER:PASSWORD@]HOST[:PORT][/DATABASE]", 6379},
    Scheme{"redis+unix://", kind<RedisEndpoint>, parse_redis_unix, "redis+unix:///PATH[?db=N]"},
    Scheme{"postgres://", kind<PostgresEndpoint>, parse_postgres, "postgres://HOST/DATABASE", 5432},
    Scheme{"postgresql://", kind<PostgresEndpoint>, parse_postgresql, ""},
    Scheme{"file:", kind<FileEndpoint>, parse_file, "the path of a file"},
};

/// "tcp://HOST:PORT, udp://HOST:PORT or unix:///PATH"
std::string forms_of(EndpointKinds wanted) {
  std::vector<std::string> forms;
  for (const Scheme& scheme : schemes) {
    if ((scheme.kind & wanted) != 0 && !scheme.form.empty()) forms.emplace_back(scheme.form);
  }
  return either_of(forms);
}

Error refusal(std::string_view text, std::string_view reason, std::string_view expected) {
  return {fmt::format("'{}' is not an endpoint: {}; expected {}", without_password(text), reason,
                      expected)};
}

/// False for what is rather the name of a file.
bool names_host(const Authority& authority) {
  if (authority.port || authority.host == "localhost") return true;
  in6_addr ignored{};
  return ::inet_pton(AF_INET, authority.host.c_str(), &ignored) == 1 ||
         ::inet_pton(AF_INET6, authority.host.c_str(), &ignored) == 1;
}

Error unknown_scheme(std::string_view text, EndpointKinds wanted) {
  Error error = refusal(text, "no known scheme", forms_of(wanted));
  if (const auto meant = detail::with_scheme(text, wanted))
    error.message += fmt::format("; did you mean {}?", *meant);
  return error;
}

const Scheme* scheme_of(std::string_view text) {
  for (const Scheme& scheme : schemes) {
    if (text.starts_with(scheme.prefix)) return &scheme;
  }
  return nullptr;
}

}  // namespace

Result<PortRange> parse_ports(std::string_view text) {
  const std::size_t hyphen = text.find('-');
  const auto first = number_in<std::uint16_t>(text.substr(0, hyphen));
  const auto last = hyphen == text.npos ? first : number_in<std::uint16_t>(text.substr(hyphen + 1));
  if (!first || !last || *first == 0 || *last < *first) {
    return Error{
        fmt::format("{} is no range of ports; expected two from 1 to 65535, the smaller "
                    "first, such as 20000-20099",
                    excerpt(text, 40))};
  }
  return PortRange{*first, *last};
}

Result<Endpoint> detail::parse_endpoint(std::string_view text, EndpointKinds wanted, Ports ports) {
  const Scheme* const scheme = scheme_of(text);
  const bool is_path = scheme == nullptr && text.find("://") == text.npos && !text.empty();
  if (is_path && (wanted & kind<FileEndpoint>) != 0) return parse_file(text, ports);
  if (scheme == nullptr) return unknown_scheme(text, wanted);
  if ((scheme->kind & wanted) == 0)
    return refusal(text, "not of a kind that is taken here", forms_of(wanted));
  auto parsed = scheme->parse(text.substr(scheme->prefix.size()), ports);
  if (!parsed) return refusal(text, parsed.error().message, forms_of(scheme->kind));
  return parsed;
}

std::optional<std::string> detail::with_scheme(std::string_view text, EndpointKinds wanted) {
  const auto authority = parse_authority(text.substr(0, text.find('/')));
  if (!authority || !names_host(*authority)) return std::nullopt;
  const Scheme* fits = nullptr;
  for (const Scheme& scheme : schemes) {
    if ((scheme.kind & wanted) == 0 || !scheme.usual_port) continue;
    const bool usual = authority->port > 0 && scheme.usual_port == authority->port;
    if ((fits == nullptr || usual) && scheme.parse(text, Ports::to_listen)) fits = &scheme;
  }
  if (fits == nullptr) return std::nullopt;
  return without_password(fmt::format("{}{}", fits->prefix, text));
}

bool detail::has_scheme_of(std::string_view text, EndpointKinds wanted) {
  const Scheme* const scheme = scheme_of(text);
  return scheme != nullptr && (scheme->kind & wanted) != 0;
}

}  // namespace hallmark::base
