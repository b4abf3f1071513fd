#pragma once
#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

/// Real servers for tests: each in a directory of its own, on loopback alone, gone with its object.
namespace hallmark::stores::test {

/// A directory of this server alone, removed with all that is in it.
class ServerDirectory {
 public:
  ServerDirectory();
  ~ServerDirectory();
  ServerDirectory(const ServerDirectory&) = delete;
  ServerDirectory& operator=(const ServerDirectory&) = delete;

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

/// A program that runs until it is stopped. The kernel stops it too if this process dies.
class ServerProcess {
 public:
  /// Its output goes to `log`. `stop_signal`: ends it at once.
  ServerProcess(const std::vector<std::string>& command, const std::filesystem::path& log,
                int stop_signal);
  ~ServerProcess();  ///< stops
  ServerProcess(const ServerProcess&) = delete;
  ServerProcess& operator=(const ServerProcess&) = delete;

  pid_t id() const { return id_; }
  void signal(int number) const;
  /// Ends it, and waits for that.
  void stop();
  /// Waits until `ready` says so, asking now and then. False: the process ended before.
  /// Throws when 30 s have passed.
  bool wait_until(const std::function<bool()>& ready);

 private:
  bool ended_within(std::chrono::milliseconds time);

  pid_t id_ = -1;
  int handle_ = -1;  ///< readable once the process has ended
  int stop_signal_;
};

/// Runs a program to its end. Throws with the last of its output when it fails.
void run_program(const std::vector<std::string>& command, const std::filesystem::path& log);

/// A TCP port of 127.0.0.1 on which nobody listens now.
std::uint16_t free_port();

std::string last_lines_of(const std::filesystem::path& log);

}  // namespace hallmark::stores::test
