#include "conformance/process.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstring>
#include <thread>

namespace hallmark::conformance {
namespace {

constexpr std::chrono::seconds grace{2};
constexpr std::chrono::milliseconds look_again{5};

std::uint16_t free_port() {
  const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof(address);
  auto* const generic = reinterpret_cast<sockaddr*>(&address);
  const bool bound =
      fd >= 0 && ::bind(fd, generic, size) == 0 && ::getsockname(fd, generic, &size) == 0;
  if (fd >= 0) ::close(fd);
  return bound ? ntohs(address.sin_port) : std::uint16_t{0};
}

std::string with_port(std::string command, std::uint16_t port) {
  constexpr std::string_view place = "{port}";
  for (auto at = command.find(place); at != std::string::npos; at = command.find(place)) {
    command.replace(at, place.size(), std::to_string(port));
  }
  return command;
}

/// Only what may be called between fork and exec.
[[noreturn]] void become(const char* command, int output, pid_t parent) {
  // Ctrl-C on the terminal is meant for us, and we stop the target.
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(127);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  const int nothing = ::open("/dev/null", O_RDONLY);
  dup2(nothing, STDIN_FILENO);
  dup2(output, STDOUT_FILENO);
  dup2(output, STDERR_FILENO);
  execl("/bin/sh", "sh", "-c", command, nullptr);
  _exit(127);
}

}  // namespace

boost::system::result<std::unique_ptr<Process>, std::string> Process::start(
    const std::string& command) {
  const std::uint16_t port = free_port();
  if (port == 0) return std::string("no free port on the loopback address");
  const int output = memfd_create("target-output", MFD_CLOEXEC);
  if (output < 0)
    return fmt::format("cannot keep what the target writes: {}", std::strerror(errno));
  // `exec`: the process that is signalled is the target and not a shell around it.
  const std::string line = "exec " + with_port(command, port);
  const pid_t parent = getpid();
  const pid_t pid = fork();
  if (pid == 0) become(line.c_str(), output, parent);
  if (pid < 0) {
    ::close(output);
    return fmt::format("cannot start '{}': {}", command, std::strerror(errno));
  }
  return std::unique_ptr<Process>(new Process(pid, port, output));
}

Process::~Process() {
  if (!ended()) {
    ::kill(pid_, SIGTERM);
    const auto until = std::chrono::steady_clock::now() + grace;
    while (!ended() && std::chrono::steady_clock::now() < until)
      std::this_thread::sleep_for(look_again);
  }
  if (!ended()) {
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, &status_, 0);
  }
  ::close(output_);
}

bool Process::ended() {
  if (!reaped_) reaped_ = ::waitpid(pid_, &status_, WNOHANG) == pid_;
  return reaped_;
}

std::string Process::last_line() const {
  char tail[400];
  const off_t size = ::lseek(output_, 0, SEEK_END);
  const off_t from = size > off_t{sizeof(tail)} ? size - off_t{sizeof(tail)} : 0;
  const ssize_t got = ::pread(output_, tail, sizeof(tail), from);
  std::string_view text(tail, got > 0 ? static_cast<std::size_t>(got) : 0);
  while (!text.empty() && text.back() == '\n') text.remove_suffix(1);
  return std::string(text.substr(text.rfind('\n') + 1));
}

std::string Process::how_it_died() {
  if (!ended()) return {};
  std::string how =
      WIFSIGNALED(status_)
          ? fmt::format("killed by signal {} ({})", WTERMSIG(status_), strsignal(WTERMSIG(status_)))
          : fmt::format("exited with code {}", WEXITSTATUS(status_));
  if (const std::string line = last_line(); !line.empty())
    how += fmt::format("; it wrote last: {}", line);
  return how;
}

boost::system::result<void, std::string> wait_until_it_listens(Process& process, Network& network,
                                                               Time until) {
  constexpr Time pause = 2'000'000;
  for (;;) {
    const LinkResult link = network.connect(until);
    if (link) return {};
    if (const std::string how = process.how_it_died(); !how.empty()) {
      return fmt::format("the target ended before it listened: {}", how);
    }
    if (network.now() >= until) return fmt::format("the target does not listen: {}", link.error());
    network.wait_until(network.now() + pause);
  }
}

}  // namespace hallmark::conformance
