#pragma once

#include <sys/types.h>

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "base/child_process.hpp"
#include "base/descriptor.hpp"

namespace hallmark::e2e {

/// The end of a program, and what it printed.
struct Outcome {
  int exit_code = -1;  ///< -1 when a signal ended it
  int signal = 0;
  std::string out;
  std::string err;
};

/// A program that runs as a child of the test, with pipes for stdout and stderr. Whatever happens,
/// it is gone when this is: a test that fails leaves no process behind.
class Program {
 public:
  /// The longest that a test waits for anything; far beyond what is needed, also under sanitizers.
  static constexpr std::chrono::seconds patience{100};

  /// Starts it in `directory`. Throws std::runtime_error when that is not possible.
  Program(const std::vector<std::string>& command, const std::string& directory);
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  /// Waits until so many lines were printed. False when the program closed its output before, or
  /// patience is over.
  bool wait_for_out_lines(std::size_t count) { return wait_for_lines(out_, count); }
  bool wait_for_err_lines(std::size_t count) { return wait_for_lines(err_, count); }

  void send_signal(int signal);
  pid_t id() const { return child_->id(); }

  /// Waits for its end. Throws std::runtime_error when patience is over.
  Outcome wait();

  const std::string& out() const { return out_.text; }

 private:
  using Clock = std::chrono::steady_clock;
  struct Stream {
    base::Descriptor pipe;
    std::string text;
  };

  bool wait_for_lines(const Stream& stream, std::size_t count);
  /// Reads what comes next on either stream. False when both are closed, or it is `until`.
  bool read_some(Clock::time_point until);

  Stream out_, err_;  // outlive the child, which may write to their ends
  std::unique_ptr<base::ChildProcess> child_;
};

/// Starts it and waits for its end.
Outcome run(const std::vector<std::string>& command, const std::string& directory);

}  // namespace hallmark::e2e
