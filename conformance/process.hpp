#pragma once

#include <sys/types.h>

#include <boost/system/result.hpp>
#include <cstdint>
#include <memory>
#include <string>

#include "conformance/network.hpp"

namespace hallmark::conformance {

/// A target that was started here, and is stopped when this goes away.
class Process {
 public:
  /// Starts the command with a free port in the place of `{port}`; what it writes is kept aside.
  /// Errors: one line.
  static boost::system::result<std::unique_ptr<Process>, std::string> start(
      const std::string& command);

  /// SIGTERM, and SIGKILL when it has not ended `grace` later.
  ~Process();
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  std::uint16_t port() const { return port_; }
  pid_t pid() const { return pid_; }

  /// How it ended and the last line it wrote; empty while it runs.
  std::string how_it_died();

 private:
  Process(pid_t pid, std::uint16_t port, int output) : pid_(pid), port_(port), output_(output) {}
  bool ended();
  std::string last_line() const;

  pid_t pid_;
  std::uint16_t port_;
  int output_;
  bool reaped_ = false;
  int status_ = 0;
};

/// Connects until it works, the process is dead, or `until` has come.
/// Errors: one line that says which.
boost::system::result<void, std::string> wait_until_it_listens(Process& process, Network& network,
                                                               Time until);

}  // namespace hallmark::conformance
