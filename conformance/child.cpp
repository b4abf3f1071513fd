#include "conformance/child.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>
#include <fstream>
#include <sstream>

#include "conformance/descriptor.hpp"

namespace hallmark::conformance {
namespace {

constexpr Time grace = 2'000'000'000;

/// Only what may be called between fork and exec.
[[noreturn]] void become(const char* command, const Child::Streams& streams, pid_t parent) {
  // Ctrl-C on the terminal is meant for us, and we stop the child.
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(127);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  signal(SIGPIPE, SIG_DFL);
  const int nothing = ::open("/dev/null", O_RDWR | O_CLOEXEC);
  dup2(streams.in < 0 ? nothing : streams.in, STDIN_FILENO);
  dup2(streams.out < 0 ? nothing : streams.out, STDOUT_FILENO);
  dup2(streams.err < 0 ? nothing : streams.err, STDERR_FILENO);
  execl("/bin/sh", "sh", "-c", command, nullptr);
  _exit(127);
}

}  // namespace

boost::system::result<std::unique_ptr<Child>, std::string> Child::start(const std::string& command,
                                                                        const Streams& streams) {
  // `exec`: the process that is signalled is the command and not a shell around it.
  const std::string line = "exec " + command;
  const pid_t parent = getpid();
  const pid_t pid = fork();
  if (pid == 0) become(line.c_str(), streams, parent);
  if (pid < 0) return fmt::format("cannot start '{}': {}", command, std::strerror(errno));
  setpgid(pid, pid);  // here as well: whoever comes first, it leads its group from now on
  return std::unique_ptr<Child>(new Child(pid));
}

Child::~Child() {
  if (reaped_) return;
  if (!ended()) {
    ::kill(pid_, SIGTERM);
    wait(monotonic_now() + grace);
  }
  kill();
}

bool Child::ended() {
  if (ended_) return true;
  // It is left unreaped: until `kill`, its number and that of its group are nobody else's.
  siginfo_t info{};
  if (::waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOHANG | WNOWAIT) != 0 ||
      info.si_pid != pid_)
    return false;
  ended_ = true;
  by_signal_ = info.si_code != CLD_EXITED;
  status_ = info.si_status;
  return true;
}

// proc(5), `stat`: the flags are the seventh field behind the name, which may hold anything.
bool Child::ending() const {
  constexpr unsigned long exiting = 4;  // PF_EXITING of the kernel
  std::ifstream file(fmt::format("/proc/{}/stat", pid_));
  std::string text;
  std::getline(file, text);
  const auto name_ends = text.rfind(')');
  if (name_ends == std::string::npos) return false;
  std::istringstream fields(text.substr(name_ends + 1));
  std::string skipped;
  for (int i = 0; i < 6; ++i) fields >> skipped;
  unsigned long flags = 0;
  return fields >> flags && (flags & exiting) != 0;
}

bool Child::wait(Time until) {
  if (ended()) return true;
  const Descriptor watched(static_cast<int>(::syscall(SYS_pidfd_open, pid_, 0)));
  if (watched.get() >= 0) wait_for(watched.get(), POLLIN, until);
  return ended();
}

void Child::kill() {
  if (reaped_) return;
  ended();  // how it ended by itself is kept
  ::kill(-pid_, SIGKILL);
  siginfo_t info{};
  ::waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED);
  if (!ended_) {
    ended_ = true;
    by_signal_ = info.si_code != CLD_EXITED;
    status_ = info.si_status;
  }
  reaped_ = true;
}

std::string Child::how_it_ended() {
  if (!ended()) return {};
  if (by_signal_) return fmt::format("killed by signal {} ({})", status_, strsignal(status_));
  return fmt::format("exited with code {}", status_);
}

}  // namespace hallmark::conformance
