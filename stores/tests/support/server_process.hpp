#pragma once
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/child_process.hpp"

/// Real servers for tests: each in a directory of its own, on loopback alone, gone with its object.
namespace hallmark::stores::test {

/// A program that runs until it is stopped. The kernel stops it too if this process dies.
class ServerProcess {
 public:
  /// Its output goes to `log`. `stop_signal`: ends it at once.
  ServerProcess(const std::vector<std::string>& command, const std::filesystem::path& log,
                int stop_signal);

  pid_t id() const { return child_->id(); }
  void signal(int number) const { child_->signal(number); }
  /// Waits until `ready` says so, asking now and then. False: the process ended before.
  /// Throws when 30 s have passed.
  bool wait_until(const std::function<bool()>& ready);

 private:
  std::unique_ptr<base::ChildProcess> child_;
};

/// Runs a program to its end. Throws with the last of its output when it fails.
void run_program(const std::vector<std::string>& command, const std::filesystem::path& log);

/// A TCP port of 127.0.0.1 on which nobody listens now.
std::uint16_t free_port();

std::string last_lines_of(const std::filesystem::path& log);

}  // namespace hallmark::stores::test
