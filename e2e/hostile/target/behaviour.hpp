#pragma once

#include <cstdint>
#include <string>
#include <vector>

/// A program that misbehaves, to be certified: raw sockets and pipes, which spoil nothing, or what
/// the reference answers.
namespace hallmark::hostile {

/// `name:argument`, the task of the program; the argument is 0 if none is given. A byte is written
/// in hexadecimal: `segv:0x13`.
struct Behaviour {
  std::string name;
  std::uint64_t argument = 0;
};

/// Reads `name` or `name:argument`. Ends the program if the argument is not a number.
Behaviour parse(const std::string& text);

/// The words of a command line behind the port: DIALECT WIDTH [BUG…], which a server of streams
/// speaks before it is spoilt.
using Spoken = std::vector<std::string>;

/// Serves TCP at that port on loopback; of no `spoken`, only a behaviour that needs none. Returns
/// when there is no such behaviour.
void serve_streams(const Behaviour& behaviour, std::uint16_t port, const Spoken& spoken);

/// Serves UDP at that port on loopback: ratelimit-udp.
void serve_datagrams(const Behaviour& behaviour, std::uint16_t port);

/// Answers lines on standard input with lines on standard output: ratelimit-state.
void serve_lines(const Behaviour& behaviour);

/// Ends this program as the behaviour says: `segv`, `abort`, `exit`.
[[noreturn]] void die(const std::string& how);

}  // namespace hallmark::hostile
