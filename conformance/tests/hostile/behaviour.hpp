#pragma once

#include <cstdint>
#include <string>
#include <vector>

/// Programs that misbehave, to be certified: raw sockets and pipes. They know no dialect.
namespace hallmark::hostile {

/// `name:argument`, the task of the program; the argument is 0 if none is given. A byte is written
/// in hexadecimal: `segv:0x13`.
struct Behaviour {
  std::string name;
  std::uint64_t argument = 0;
};

/// Reads `name` or `name:argument`. Ends the program if the argument is not a number.
Behaviour parse(const std::string& text);

/// The command of a server or an adapter behind the program that speaks properly; `{upstream}` in
/// it becomes a port.
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
