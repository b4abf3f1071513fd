#pragma once

#include <sys/types.h>

#include <boost/system/result.hpp>
#include <memory>
#include <string>

#include "conformance/network.hpp"

namespace hallmark::conformance {

/// A command that was started here, and is stopped when this goes away.
class Child {
 public:
  /// Descriptors that become its standard input, output and error; -1: there is nothing.
  struct Streams {
    int in = -1;
    int out = -1;
    int err = -1;
  };

  /// Starts `sh -c "exec COMMAND"` in a process group of its own. Errors: one line.
  static boost::system::result<std::unique_ptr<Child>, std::string> start(
      const std::string& command, const Streams& streams);

  /// SIGTERM, and SIGKILL when it has not ended `grace` later; SIGKILL for what it left in its
  /// group.
  ~Child();
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  pid_t pid() const { return pid_; }
  bool ended();
  /// Whether the system is taking it apart: it serves nobody any more, and ends in a moment.
  bool ending() const;
  /// Waits for its end, at most until that time; whether it has ended.
  bool wait(Time until);
  /// Ends it and what it started in its group, at once.
  void kill();
  /// `exited with code 7`, `killed by signal 11 (Segmentation fault)`; empty while it runs.
  std::string how_it_ended();

 private:
  explicit Child(pid_t pid) : pid_(pid) {}

  pid_t pid_;
  bool ended_ = false;
  bool reaped_ = false;
  bool by_signal_ = false;
  int status_ = 0;  ///< exit code, or number of the signal
};

}  // namespace hallmark::conformance
