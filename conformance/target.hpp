#pragma once

#include <boost/system/result.hpp>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

namespace hallmark::conformance {

struct TcpTarget {
  std::string host;
  std::uint16_t port = 0;
};

struct UdpTarget {
  std::string host;
  std::uint16_t port = 0;
};

struct UnixTarget {
  std::string path;
};

/// A command that listens at the loopback address, on TCP or UDP as its dialect has it; `{port}` in
/// it becomes a free port.
struct ExecTarget {
  std::string command;
};

/// A command that speaks the line protocol on its standard input and output (docs/adapter.md).
struct PipeTarget {
  std::string command;
};

using Target = std::variant<TcpTarget, UdpTarget, UnixTarget, ExecTarget, PipeTarget>;

/// Reads `tcp://HOST:PORT` or `udp://HOST:PORT` (an IPv6 host in brackets), `unix:///PATH`,
/// `exec:COMMAND` or `pipe:COMMAND`. Errors: one line that says what is allowed.
boost::system::result<Target, std::string> parse_target(std::string_view text);

}  // namespace hallmark::conformance
