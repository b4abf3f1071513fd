#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/child_process.hpp"
#include "base/descriptor.hpp"
#include "base/endpoint.hpp"
#include "base/expected.hpp"
#include "base/temporary_directory.hpp"
#include "conformance/drivers/stream/network.hpp"
#include "conformance/supervisor/output_tail.hpp"

namespace hallmark::conformance {

/// Returns true if both a TCP and a UDP socket could be bound to that port of the loopback address.
bool port_is_free(std::uint16_t port);

/// A port that no other run on this machine gives to a target meanwhile.
struct ClaimedPort {
  std::uint16_t number = 0;
  base::Descriptor claim = {};
};

/// A target that was started here, and is stopped when this goes away.
class Process {
 public:
  /// The most lines that are reported from the end of a target's output.
  static constexpr std::size_t most_lines = 10;

  /// Starts the command with its places filled in, and keeps the end of what it writes.
  /// Errors: one line.
  static base::Expected<std::unique_ptr<Process>, std::string> start(
      const base::ExecEndpoint& target);

  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  std::uint16_t port() const { return port_.number; }
  pid_t pid() const { return child_->id(); }

  bool ended() { return child_->ended(); }
  /// Returns true if the system is taking the process apart: it serves nobody any more, and ends in
  /// a moment.
  bool ending() const { return child_->ending(); }
  /// Waits for its end, at most until that time. Returns true if it has ended.
  bool wait(Time until);
  /// Ends it at once.
  void kill() { child_->kill(); }
  /// Stops it, and gives back its directory and its port. Its child is reaped when the object that
  /// is returned goes away, which is better later than at once (`base::ChildProcess::kill`).
  static std::unique_ptr<base::ChildProcess> stop(std::unique_ptr<Process> process);

  /// `exited with code 7`, `killed by signal 11 (Segmentation fault)`; empty while it runs.
  std::string how_it_ended() { return child_->how_it_ended(); }
  /// The last lines that it wrote, to its standard output and error.
  std::vector<std::string> last_lines() { return output_->lines(most_lines); }
  /// Returns how it ended and the last line it wrote; empty while it runs.
  std::string how_it_died();

 private:
  Process(base::TemporaryDirectory directory, std::unique_ptr<OutputTail> output,
          std::unique_ptr<base::ChildProcess> child, ClaimedPort port)
      : directory_(std::move(directory)),
        output_(std::move(output)),
        port_(std::move(port)),
        child_(std::move(child)) {}

  base::TemporaryDirectory directory_;  // the child's directory, too
  std::unique_ptr<OutputTail> output_;  // outlives the child, which may write to its end
  ClaimedPort port_;                    // as does the claim
  std::unique_ptr<base::ChildProcess> child_;
};

/// Connects until it works, the process is dead, or `until` has come.
/// Errors: one line that says which.
base::Expected<void, std::string> wait_until_it_listens(Process& process, Network& network,
                                                        Time until);

}  // namespace hallmark::conformance
