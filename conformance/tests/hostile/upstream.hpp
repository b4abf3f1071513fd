#pragma once

#include <sys/types.h>

#include "conformance/tests/hostile/behaviour.hpp"

namespace hallmark::hostile {

/// A socket at a loopback port that is bound (0: any), of SOCK_STREAM or SOCK_DGRAM.
int bound_socket(int type, std::uint16_t port);

/// A socket that is connected to that loopback port; -1: nobody is there.
int connected_socket(int type, std::uint16_t port);

/// A proper server in a process of its own; gone with this program.
class Server {
 public:
  /// Starts it at a free port and waits until it serves. Ends the program where it does not.
  Server(const Upstream& command, int type);
  ~Server();
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  std::uint16_t port() const { return port_; }

 private:
  std::uint16_t port_ = 0;
  pid_t pid_ = -1;
};

/// Starts a command whose standard input and output are those pipes; gone with this program.
pid_t start(const Upstream& command, int in, int out);

std::uint64_t now_ms();
void sleep_ms(std::uint64_t milliseconds);

}  // namespace hallmark::hostile
