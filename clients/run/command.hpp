#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

namespace hallmark::clients {

/// A client's test command, as it is run against a server.
struct CommandOptions {
  /// The program and its arguments; `{host}` and `{port}` in them are replaced.
  std::vector<std::string> words;
  std::string host;
  std::uint16_t port = 0;
  /// Limits wall time, less the time in which the command's processes waited for a processor, which
  /// is taken off up to nine timeouts.
  std::chrono::nanoseconds timeout{};
  /// Once it is true, the command is ended. Null: nobody stops it.
  const std::atomic<bool>* stop = nullptr;
};

/// The end of a command, and what it left behind.
struct CommandEnd {
  std::string not_started{};  ///< one line; empty: it was started
  bool timed_out = false;
  bool interrupted = false;  ///< `stop` became true
  int exit_code = -1;        ///< -1: none, because it was ended or a signal ended it
  int signal = 0;            ///< the one that ended it, by itself or as its shell says; 0: none
  std::chrono::nanoseconds duration{};
  std::uint64_t printed_bytes = 0;
  bool printed_too_much = false;           ///< more than `most_printed`: the rest was not taken
  std::vector<std::string> last_lines{};   ///< of its output, at most `most_lines`
  std::vector<std::string> left_behind{};  ///< names of processes that it left, which were ended

  static constexpr std::uint64_t most_printed = std::uint64_t{16} << 20;
  static constexpr std::size_t most_lines = 20;
};

/// Runs a command to its end, or ends it. Its environment has HALLMARK_HOST and HALLMARK_PORT.
/// Whatever it does, nothing that it started is left.
CommandEnd run_command(const CommandOptions& options);

/// "exited with code 1", "died of signal 11 (Segmentation fault)", "did not end within 5 s".
std::string in_words(const CommandEnd& end, std::chrono::nanoseconds timeout);

}  // namespace hallmark::clients
