#include "base/spawn.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <condition_variable>
#include <deque>
#include <functional>
#include <future>
#include <mutex>
#include <string_view>
#include <thread>
#include <vector>

#include "base/descriptor.hpp"

namespace hallmark::base {
namespace {

/// The system ends a child with the thread that started it, not with the process: this thread lives
/// as long as the process, others come and go.
class Starter {
 public:
  static Starter& instance() {
    static Starter starter;
    return starter;
  }

  pid_t run(std::function<pid_t()> start) {
    std::packaged_task<pid_t()> task(std::move(start));
    auto started = task.get_future();
    {
      const std::lock_guard lock(mutex_);
      tasks_.push_back(std::move(task));
    }
    changed_.notify_one();
    return started.get();
  }

 private:
  void loop(const std::stop_token& stop) {
    std::unique_lock lock(mutex_);
    while (changed_.wait(lock, stop, [&] { return !tasks_.empty(); })) {
      auto task = std::move(tasks_.front());
      tasks_.pop_front();
      lock.unlock();
      task();
      lock.lock();
    }
  }

  std::mutex mutex_;
  std::condition_variable_any changed_;
  std::deque<std::packaged_task<pid_t()>> tasks_;
  std::jthread thread_{[this](const std::stop_token& stop) { loop(stop); }};
};

/// The pipe in which the child says why it could not become the command; closed if it could.
[[noreturn]] void give_up(int report) {
  const int reason = errno;
  [[maybe_unused]] const auto told = ::write(report, &reason, sizeof reason);
  ::_exit(127);
}

/// Makes the environment of the child before the child is there, which may take no memory.
std::vector<char*> environment_with(const std::vector<std::string>& added) {
  const auto is_replaced = [&](std::string_view there) {
    const std::string_view name = there.substr(0, there.find('=') + 1);
    return std::ranges::any_of(added, [&](const auto& one) { return one.starts_with(name); });
  };
  std::vector<char*> all;
  for (char** one = environ; *one != nullptr; ++one) {
    if (!is_replaced(*one)) all.push_back(*one);
  }
  for (const std::string& one : added) all.push_back(const_cast<char*>(one.c_str()));
  all.push_back(nullptr);
  return all;
}

/// A handler of this process would run in the child in the memory of this process.
void drop_handlers() {
  struct sigaction action {};
  for (int number = 1; number < NSIG; ++number) {
    if (::sigaction(number, nullptr, &action) != 0 || action.sa_handler == SIG_IGN) continue;
    if (action.sa_handler == SIG_DFL) continue;
    action = {};
    action.sa_handler = SIG_DFL;
    ::sigaction(number, &action, nullptr);
  }
}

/// Only what may be called between vfork and exec: the memory is that of the parent.
[[noreturn]] void become(char* const* arguments, char** environment, const ChildOptions& options,
                         pid_t parent, int report) {
  ::setpgid(0, 0);
  ::prctl(PR_SET_PDEATHSIG, options.orphan_signal);
  if (::getppid() != parent) ::_exit(127);
  drop_handlers();
  sigset_t none;
  ::sigemptyset(&none);
  // NOLINTNEXTLINE(concurrency-mt-unsafe): the child has this thread alone
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  ::signal(SIGPIPE, SIG_DFL);
  if (!options.directory.empty() && ::chdir(options.directory.c_str()) != 0) give_up(report);
  const int nothing = ::open("/dev/null", O_RDWR | O_CLOEXEC);
  ::dup2(options.in < 0 ? nothing : options.in, STDIN_FILENO);
  ::dup2(options.out < 0 ? nothing : options.out, STDOUT_FILENO);
  ::dup2(options.err < 0 ? nothing : options.err, STDERR_FILENO);
  ::execvpe(arguments[0], arguments, environment);
  give_up(report);
}

/// Starts the child with `become`. No signal comes between: this thread has blocked them all, and
/// so has the child until it has no handler any more.
pid_t start_child(char* const* arguments, char** environment, const ChildOptions& options,
                  pid_t parent, int report) {
  sigset_t all;
  sigset_t before;
  ::sigfillset(&all);
  ::pthread_sigmask(SIG_SETMASK, &all, &before);
  // fork copies the page tables of a process that may hold the cases of all dialects; posix_spawn
  // cannot name the signal that ends an orphan. `become` only makes system calls.
  const pid_t child = ::vfork();  // NOLINT(clang-analyzer-security.insecureAPI.vfork)
  // NOLINTNEXTLINE(clang-analyzer-unix.Vfork)
  if (child == 0) become(arguments, environment, options, parent, report);
  const int reason = errno;
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  errno = reason;
  return child;
}

/// 0, or the errno that the child reported.
int report_of(const Descriptor& end) {
  int reason = 0;
  char* const bytes = reinterpret_cast<char*>(&reason);
  return read_some(end, {bytes, sizeof reason}) == sizeof reason ? reason : 0;
}

}  // namespace

Result<pid_t> spawn(const std::vector<std::string>& command, const ChildOptions& options) {
  std::vector<char*> arguments;
  arguments.reserve(command.size() + 1);
  for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  std::vector<char*> environment = environment_with(options.environment);
  const auto failure = [&](int reason) {
    return Error{fmt::format("cannot start '{}': {}", command.front(), errno_text(reason))};
  };
  auto report = make_pipe();
  if (!report) return report.error();
  const pid_t parent = ::getpid();
  int failed = 0;
  const pid_t id = Starter::instance().run([&] {
    const pid_t child =
        start_child(arguments.data(), environment.data(), options, parent, report->write.get());
    if (child < 0) failed = errno;
    return child;
  });
  report->write.reset();
  if (id < 0) return failure(failed);
  if (const int reason = report_of(report->read); reason != 0) {
    while (::waitpid(id, nullptr, 0) < 0 && errno == EINTR) {
    }
    return failure(reason);
  }
  ::setpgid(id, id);  // here as well: whoever comes first, it leads its group from now on
  return id;
}

}  // namespace hallmark::base
