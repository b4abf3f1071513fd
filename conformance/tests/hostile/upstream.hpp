#pragma once

#include "base/child_process.hpp"
#include "base/descriptor.hpp"
#include "conformance/tests/hostile/behaviour.hpp"

namespace hallmark::hostile {

/// A socket at a loopback port that is bound (0: any), of SOCK_STREAM or SOCK_DGRAM.
base::Descriptor bound_socket(int type, std::uint16_t port);

/// A socket that is connected to that loopback port; not open if nobody is there.
base::Descriptor connected_socket(int type, std::uint16_t port);

/// A proper server in a process of its own; gone with this program.
class Server {
 public:
  /// Starts it at a free port and waits until it serves. Ends the program if it does not.
  Server(const Upstream& command, int type);

  std::uint16_t port() const { return port_; }

 private:
  std::uint16_t port_ = 0;
  std::unique_ptr<base::ChildProcess> process_;
};

/// Starts a command with those standard input and output (-1: none); gone with this program. Ends
/// the program if there is no such command.
std::unique_ptr<base::ChildProcess> start(const Upstream& command, int in, int out);

/// The next line with its newline; empty if there is none.
std::string read_line(const base::Descriptor& file);

void sleep_ms(std::uint64_t milliseconds);

}  // namespace hallmark::hostile
