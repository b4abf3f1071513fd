#pragma once
#include <signal.h>
#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/descriptor.hpp"
#include "base/error.hpp"

namespace hallmark::base {

struct ChildOptions {
  /// Descriptors that become its standard input, output and error; -1: it has /dev/null there.
  int in = -1;
  int out = -1;
  int err = -1;
  std::string directory{};  ///< in which it runs; empty: that of this process
  /// NAME=VALUE each: added to the environment of this process, in place of what has that name.
  std::vector<std::string> environment{};
  /// Asks it to end when its object goes away, which kills it when it has not ended `grace` later.
  int stop_signal = SIGTERM;
  std::chrono::nanoseconds grace = std::chrono::seconds(2);
  /// The system sends it this one should our process die without stopping it.
  int orphan_signal = SIGKILL;
};

/// `11 (Segmentation fault)`; the number alone of a signal that has no name.
std::string signal_in_words(int signal);

/// A program that this process started: it is gone when this is, and so is what it left behind in
/// its process group.
class ChildProcess {
 public:
  /// Runs `command`, of which the first is looked for in PATH, in a process group of its own:
  /// Ctrl-C on the terminal is meant for us, and we stop the child. No signal is blocked in it, and
  /// SIGPIPE not ignored. Any thread may call this. Error: one line, also where there is no such
  /// program.
  static Result<std::unique_ptr<ChildProcess>> start(const std::vector<std::string>& command,
                                                     const ChildOptions& options);

  /// Stops it, and reaps it.
  ~ChildProcess();
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  /// Its process id, which is that of its group and nobody else's.
  pid_t id() const { return id_; }
  /// Sends it a signal; if it has ended, nothing happens.
  void signal(int number) const;

  bool ended();
  /// True while the system takes it apart: it serves nobody any more, and ends in a moment.
  bool ending() const;
  /// Waits for its end, at most so long. Returns true if it has ended.
  bool wait(std::chrono::nanoseconds at_most);

  /// Asks it to end as `ChildOptions::stop_signal` says, then as `kill`.
  void stop();
  /// Ends it and its group at once. It is not reaped before this object goes away: to reap one of
  /// several threads in the moment of its end costs Linux up to seconds of processor time on a busy
  /// machine.
  void kill();

  /// 0 to 255, or -1: a signal ended it, or it goes on running.
  int exit_code();
  /// The signal that ended it; 0: none did.
  int ending_signal();
  /// `exited with code 7`, `killed by signal 11 (Segmentation fault)`; empty while it runs.
  std::string how_it_ended();
  /// Its largest resident memory, known after `kill` or `stop`; at least that of this process when
  /// it was started.
  std::uint64_t peak_memory_kib() const { return peak_memory_kib_; }

 private:
  ChildProcess(pid_t id, int stop_signal, std::chrono::nanoseconds grace);
  void note_end(const siginfo_t& info);

  pid_t id_;
  int stop_signal_;
  std::chrono::nanoseconds grace_;
  Descriptor stat_;  ///< proc(5): /proc/PID/stat
  bool ended_ = false;
  bool by_signal_ = false;
  int status_ = 0;  ///< the exit code, or the number of the signal
  std::uint64_t peak_memory_kib_ = 0;
};

/// The words that run a line of the shell, so that the process which is signalled is the command
/// and not a shell around it: those of the line itself, if none of it is for a shell.
std::vector<std::string> shell_command(const std::string& line);

}  // namespace hallmark::base
