#include "base/child_process.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <cstring>
#include <string_view>

#include "base/environment.hpp"
#include "base/number.hpp"
#include "base/spawn.hpp"
#include "base/text.hpp"

namespace hallmark::base {

Result<std::unique_ptr<ChildProcess>> ChildProcess::start(const std::vector<std::string>& command,
                                                          const ChildOptions& options) {
  const auto started = spawn(command, options);
  if (!started) return started.error();
  return std::unique_ptr<ChildProcess>(
      new ChildProcess(*started, options.stop_signal, options.grace));
}

ChildProcess::ChildProcess(pid_t id, int stop_signal, std::chrono::nanoseconds grace)
    : id_(id),
      stop_signal_(stop_signal),
      grace_(grace),
      stat_(::open(fmt::format("/proc/{}/stat", id).c_str(), O_RDONLY | O_CLOEXEC)) {}

void ChildProcess::signal(int number) const { ::kill(id_, number); }

void ChildProcess::note_end(const siginfo_t& info) {
  if (ended_) return;  // how it ended by itself is kept
  ended_ = true;
  by_signal_ = info.si_code != CLD_EXITED;
  status_ = info.si_status;
}

bool ChildProcess::ended() {
  if (ended_) return true;
  // It is left unreaped: its number and that of its group are nobody else's.
  siginfo_t info{};
  if (::waitid(P_PID, static_cast<id_t>(id_), &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
      info.si_pid == id_) {
    note_end(info);
  }
  return ended_;
}

// proc(5), `stat`: the flags are the seventh field behind the name, which may hold anything. The
// file stays open, because some callers ask thousands of times.
bool ChildProcess::ending() const {
  constexpr std::uint64_t exiting = 4;  // PF_EXITING of the kernel
  constexpr int fields_before_flags = 6;
  std::array<char, 1024> bytes;
  const ssize_t got = ::pread(stat_.get(), bytes.data(), bytes.size(), 0);
  if (got <= 0) return false;
  const std::string_view stat(bytes.data(), static_cast<std::size_t>(got));
  std::size_t at = stat.rfind(')');
  for (int i = 0; at != stat.npos && i <= fields_before_flags; ++i) at = stat.find(' ', at + 1);
  if (at == stat.npos) return false;
  const auto flags = leading_number<std::uint64_t>(stat.substr(at + 1));
  return flags && (flags->number & exiting) != 0;
}

bool ChildProcess::wait(std::chrono::nanoseconds at_most) {
  if (ended()) return true;
  using Clock = std::chrono::steady_clock;
  const Descriptor watched(static_cast<int>(::syscall(SYS_pidfd_open, id_, 0)));
  constexpr std::chrono::hours years{24 * 365 * 10};
  const auto until = Clock::now() + std::min<std::chrono::nanoseconds>(at_most, years);
  pollfd waiting{watched.get(), POLLIN, 0};
  int ready = -1;
  while (ready < 0) {
    const auto left = std::max<std::chrono::nanoseconds>(until - Clock::now(), {});
    const auto seconds = std::chrono::floor<std::chrono::seconds>(left);
    const timespec time{seconds.count(), (left - seconds).count()};
    ready = ::ppoll(&waiting, 1, &time, nullptr);
    if (ready < 0 && errno != EINTR) break;
  }
  return ended();
}

void ChildProcess::stop() {
  if (!ended()) {
    signal(stop_signal_);
    signal(SIGCONT);  // one that is stopped would not see the other
    wait(grace_);
  }
  kill();
}

void ChildProcess::kill() {
  ended();
  ::kill(-id_, SIGKILL);
  siginfo_t info{};
  rusage used{};
  // Only the system call itself tells what the child has used.
  while (::syscall(SYS_waitid, P_PID, id_, &info, WEXITED | WNOWAIT, &used) != 0 &&
         errno == EINTR) {
  }
  note_end(info);
  peak_memory_kib_ = static_cast<std::uint64_t>(used.ru_maxrss);
}

ChildProcess::~ChildProcess() {
  stop();
  while (::waitpid(id_, nullptr, 0) < 0 && errno == EINTR) {
  }
}

int ChildProcess::exit_code() { return ended() && !by_signal_ ? status_ : -1; }

int ChildProcess::ending_signal() { return ended() && by_signal_ ? status_ : 0; }

std::string signal_in_words(int signal) {
  const char* const name = ::sigdescr_np(signal);
  return name == nullptr ? fmt::format("{}", signal) : fmt::format("{} ({})", signal, name);
}

std::string ChildProcess::how_it_ended() {
  if (!ended()) return {};
  if (by_signal_) return "killed by signal " + signal_in_words(status_);
  return fmt::format("exited with code {}", status_);
}

namespace {

/// Some shells make several words of `{a,b}` and `{1..3}`; all leave other braces alone.
bool is_expanded(std::string_view word) {
  return word.find('{') != word.npos &&
         (word.find(',') != word.npos || word.find("..") != word.npos);
}

/// Returns true if the line means nothing to a shell: it is words between spaces, the first of
/// which names a program.
bool is_plain(std::string_view line) {
  static constexpr std::string_view plain = "_@%+:,./=-{} ";
  const std::string_view first = line.substr(0, line.find(' '));
  return !first.empty() && first.front() != '-' && first.find('=') == first.npos &&
         std::ranges::none_of(split(line, ' '), is_expanded) &&
         std::ranges::all_of(line, [](char one) {
           return std::isalnum(static_cast<unsigned char>(one)) != 0 ||
                  plain.find(one) != plain.npos;
         });
}

bool is_program(const std::string& path) {
  struct stat status {};
  return ::stat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode) &&
         ::access(path.c_str(), X_OK) == 0;
}

/// True if a program of that name is found, as `execvp` looks for it.
bool can_be_found(const std::string& name) {
  if (name.find('/') != name.npos) return is_program(name);
  const std::string path = environment_variable("PATH");
  return std::ranges::any_of(split(path, ':'), [&](std::string_view directory) {
    return !directory.empty() && is_program(std::string(directory) + "/" + name);
  });
}

}  // namespace

/// A target may be started hundreds of times, and a shell costs as much as a small server. What
/// cannot be found is left to the shell, which says so.
std::vector<std::string> shell_command(const std::string& line) {
  if (is_plain(line)) {
    std::vector<std::string> words;
    for (const std::string_view word : split(line, ' ')) {
      if (!word.empty()) words.emplace_back(word);
    }
    if (can_be_found(words.front())) return words;
  }
  return {"/bin/sh", "-c", "exec " + line};
}

}  // namespace hallmark::base
