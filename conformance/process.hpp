#pragma once

#include <boost/system/result.hpp>
#include <cstdint>
#include <memory>
#include <string>

#include "conformance/child.hpp"

namespace hallmark::conformance {

/// A target that was started here, and is stopped when this goes away.
class Process {
 public:
  /// Starts the command with a free port in the place of `{port}`; what it writes is kept aside.
  /// Errors: one line.
  static boost::system::result<std::unique_ptr<Process>, std::string> start(
      const std::string& command);

  ~Process();
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  std::uint16_t port() const { return port_; }
  pid_t pid() const { return child_->pid(); }

  /// How it ended and the last line it wrote; empty while it runs.
  std::string how_it_died();

 private:
  Process(std::unique_ptr<Child> child, std::uint16_t port, int output)
      : child_(std::move(child)), port_(port), output_(output) {}
  std::string last_line() const;

  std::unique_ptr<Child> child_;
  std::uint16_t port_;
  int output_;
};

/// Connects until it works, the process is dead, or `until` has come.
/// Errors: one line that says which.
boost::system::result<void, std::string> wait_until_it_listens(Process& process, Network& network,
                                                               Time until);

}  // namespace hallmark::conformance
