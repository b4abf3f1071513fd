#pragma once

#include <cstdint>
#include <string>
#include <vector>

/// Programs that misbehave, to be certified: raw sockets and pipes, and nothing of Hallmark.
namespace hallmark::hostile {

/// `name:argument`, what the program is told to do; the argument is 0 where none is given, and
/// hexadecimal where it is a byte.
struct Behaviour {
  std::string name;
  std::uint64_t argument = 0;
};

/// Reads `name` or `name:argument`. Ends the program where the argument is no number.
Behaviour parse(const std::string& text);

/// What is behind the program and speaks properly: a command with `{port}` in it, or of an adapter.
using Upstream = std::vector<std::string>;

/// Serves TCP at that port on loopback; `upstream` may be empty. Returns when there is no such
/// behaviour.
void serve_streams(const Behaviour& behaviour, std::uint16_t port, const Upstream& upstream);

/// Serves UDP at that port on loopback.
void serve_datagrams(const Behaviour& behaviour, std::uint16_t port, const Upstream& upstream);

/// Answers lines on standard input with lines on standard output.
void serve_lines(const Behaviour& behaviour, const Upstream& upstream);

/// Ends this program as the behaviour says: `segv`, `abort`, `exit`.
[[noreturn]] void die(const std::string& how);

}  // namespace hallmark::hostile
