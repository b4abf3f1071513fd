#pragma once
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>

#include "base/error.hpp"

/// The address of a peer or a listener, as people write it on a command line.
namespace hallmark::base {

/// `tcp://HOST:PORT`
struct TcpEndpoint {
  std::string host;        ///< a name or an address, an IPv6 one without its brackets
  std::uint16_t port = 0;  ///< 0 lets the system choose; only a listener may have it

  friend bool operator==(const TcpEndpoint&, const TcpEndpoint&) = default;
};

/// `udp://HOST:PORT`
struct UdpEndpoint {
  std::string host;        ///< as of TCP
  std::uint16_t port = 0;  ///< as of TCP

  friend bool operator==(const UdpEndpoint&, const UdpEndpoint&) = default;
};

/// `unix:///PATH`
struct UnixEndpoint {
  std::string path;  ///< absolute, and as it was written: a % stands for itself

  friend bool operator==(const UnixEndpoint&, const UnixEndpoint&) = default;
};

/// Ports out of which a free one is taken: both ends belong to it.
struct PortRange {
  std::uint16_t first = 10'000;
  /// Below those that Linux gives to clients, and within 15 bits, which is all that some options
  /// take.
  std::uint16_t last = 32'000;

  friend bool operator==(const PortRange&, const PortRange&) = default;
};

/// A range as people write it: `20000-20099`; or one port. Ports are from 1 to 65535. Error: one
/// line.
Result<PortRange> parse_ports(std::string_view text);

/// `exec:COMMAND`: a command that listens at the loopback address, on TCP or UDP as its dialect has
/// it; `{port}` in it becomes a free port out of `ports`, `{dir}` the path of a new directory that
/// is removed when the command has ended.
struct ExecEndpoint {
  std::string command;
  PortRange ports{};

  friend bool operator==(const ExecEndpoint&, const ExecEndpoint&) = default;
};

/// `pipe:COMMAND`: a command that speaks a line protocol on its standard input and output.
struct PipeEndpoint {
  std::string command;

  friend bool operator==(const PipeEndpoint&, const PipeEndpoint&) = default;
};

/// `redis://[USER:PASSWORD@]HOST[:PORT][/DATABASE]` or
/// `redis+unix://[USER:PASSWORD@]/PATH[?db=DATABASE]`; what is percent-encoded is decoded.
struct RedisEndpoint {
  std::string host{};  ///< as of TCP; empty: `socket`
  std::uint16_t port = 6379;
  std::string socket{};  ///< the path of a Unix socket
  std::string user{};    ///< empty: the default user
  std::string password{};
  std::uint32_t database = 0;

  friend bool operator==(const RedisEndpoint&, const RedisEndpoint&) = default;
};

/// `postgres://…` or `postgresql://…`, which libpq reads.
struct PostgresEndpoint {
  std::string url{};

  friend bool operator==(const PostgresEndpoint&, const PostgresEndpoint&) = default;
};

/// `file:PATH`, or a path without a scheme.
struct FileEndpoint {
  std::filesystem::path path{};

  friend bool operator==(const FileEndpoint&, const FileEndpoint&) = default;
};

using Endpoint = std::variant<TcpEndpoint, UdpEndpoint, UnixEndpoint, ExecEndpoint, PipeEndpoint,
                              RedisEndpoint, PostgresEndpoint, FileEndpoint>;

/// Says if port 0 is allowed: a listener may ask for it, nobody can connect to it.
enum class Ports : bool { to_connect, to_listen };

/// The longest path of a Unix socket: what fits sockaddr_un with its terminating zero.
inline constexpr std::size_t longest_socket_path = 107;

namespace detail {

/// The kinds of endpoint that are wanted: bit i is alternative i of `Endpoint`.
using EndpointKinds = std::uint32_t;

template <class Wanted, std::size_t I = 0>
consteval EndpointKinds kinds_of() {
  if constexpr (I == std::variant_size_v<Endpoint>) {
    return 0;
  } else {
    constexpr bool wanted =
        std::is_constructible_v<Wanted, std::variant_alternative_t<I, Endpoint>>;
    return (wanted ? EndpointKinds{1} << I : 0) | kinds_of<Wanted, I + 1>();
  }
}

Result<Endpoint> parse_endpoint(std::string_view text, EndpointKinds wanted, Ports ports);
bool has_scheme_of(std::string_view text, EndpointKinds wanted);

}  // namespace detail

/// Reads an endpoint of a kind that is wanted: `Wanted` is one of the structures above, or a
/// variant of some. Error: one line that says what came, what is wrong with it and what is
/// expected; a password is not in it.
template <class Wanted>
Result<Wanted> parse_endpoint(std::string_view text, Ports ports = Ports::to_connect) {
  auto read = detail::parse_endpoint(text, detail::kinds_of<Wanted>(), ports);
  if (!read) return read.error();
  std::optional<Wanted> chosen;
  std::visit(
      [&](auto& kind) {
        if constexpr (std::is_constructible_v<Wanted, decltype(kind)>) chosen.emplace(kind);
      },
      *read);
  return *std::move(chosen);
}

/// The endpoint as `parse_endpoint` reads it, for people: a password is shown as `***`.
std::string to_string(const TcpEndpoint& endpoint);
std::string to_string(const UdpEndpoint& endpoint);
std::string to_string(const UnixEndpoint& endpoint);
std::string to_string(const ExecEndpoint& endpoint);
std::string to_string(const PipeEndpoint& endpoint);
std::string to_string(const RedisEndpoint& endpoint);
std::string to_string(const PostgresEndpoint& endpoint);
std::string to_string(const FileEndpoint& endpoint);

template <class... Kinds>
std::string to_string(const std::variant<Kinds...>& endpoint) {
  return std::visit([](const auto& kind) { return to_string(kind); }, endpoint);
}

/// True if a text has a scheme of one of these kinds; whether the rest of it can be read is not
/// looked at.
template <class... Kinds>
bool has_scheme_of(std::string_view text) {
  return detail::has_scheme_of(text, (detail::kinds_of<Kinds>() | ...));
}

/// True if a text has a scheme of Redis or PostgreSQL.
inline bool names_store(std::string_view text) {
  return has_scheme_of<RedisEndpoint, PostgresEndpoint>(text);
}

/// The text without what may be a password: what is between a user and the @, scheme or not.
std::string without_password(std::string_view text);

}  // namespace hallmark::base
