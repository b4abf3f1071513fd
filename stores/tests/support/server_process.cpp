#include "stores/tests/support/server_process.hpp"

#include <arpa/inet.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <condition_variable>
#include <csignal>
#include <cstdlib>
#include <deque>
#include <fstream>
#include <future>
#include <mutex>
#include <stdexcept>
#include <system_error>
#include <thread>

namespace hallmark::stores::test {
namespace {

using std::chrono::milliseconds;

[[noreturn]] void fail(const std::string& what) {
  throw std::system_error(errno, std::generic_category(), what);
}

/// A child that is to die with its parent dies with the thread that started it: this one lives as
/// long as the process.
class Starter {
 public:
  static pid_t run(std::function<pid_t()> start) {
    static Starter starter;
    std::packaged_task<pid_t()> task(std::move(start));
    auto result = task.get_future();
    {
      const std::scoped_lock lock(starter.mutex_);
      starter.tasks_.push_back(std::move(task));
    }
    starter.changed_.notify_one();
    return result.get();
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

/// Everything that allocates is done before the fork.
pid_t start(const std::vector<std::string>& command, const std::filesystem::path& log,
            int death_signal) {
  std::vector<char*> arguments;
  for (const auto& argument : command) arguments.push_back(const_cast<char*>(argument.c_str()));
  arguments.push_back(nullptr);
  const int output = ::open(log.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
  if (output < 0) fail("cannot write " + log.string());
  const pid_t id = Starter::run([&] {
    const pid_t child = ::fork();
    if (child != 0) return child;
    ::prctl(PR_SET_PDEATHSIG, death_signal);
    ::dup2(::open("/dev/null", O_RDONLY), STDIN_FILENO);
    ::dup2(output, STDOUT_FILENO);
    ::dup2(output, STDERR_FILENO);
    ::execvp(arguments[0], arguments.data());
    ::_exit(127);
  });
  ::close(output);
  if (id < 0) fail("cannot start a process");
  return id;
}

}  // namespace

ServerDirectory::ServerDirectory() {
  auto pattern = (std::filesystem::temp_directory_path() / "hallmark-store-XXXXXX").string();
  if (::mkdtemp(pattern.data()) == nullptr) fail("cannot make a directory");
  path_ = pattern;
}

ServerDirectory::~ServerDirectory() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

ServerProcess::ServerProcess(const std::vector<std::string>& command,
                             const std::filesystem::path& log, int stop_signal)
    : id_(start(command, log, stop_signal)), stop_signal_(stop_signal) {
  handle_ = static_cast<int>(::syscall(SYS_pidfd_open, id_, 0));
  if (handle_ < 0) fail("pidfd_open");
}

ServerProcess::~ServerProcess() {
  stop();
  ::close(handle_);
}

void ServerProcess::signal(int number) const {
  if (id_ > 0) ::kill(id_, number);
}

void ServerProcess::stop() {
  if (id_ <= 0) return;
  signal(SIGCONT);  // one that is stopped would not see the other
  signal(stop_signal_);
  if (!ended_within(milliseconds(10'000))) signal(SIGKILL);
  while (::waitpid(id_, nullptr, 0) < 0 && errno == EINTR) {
  }
  id_ = -1;
}

bool ServerProcess::ended_within(milliseconds time) {
  pollfd ended{handle_, POLLIN, 0};
  return ::poll(&ended, 1, static_cast<int>(time.count())) > 0;
}

bool ServerProcess::wait_until(const std::function<bool()>& ready) {
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(30);
  while (!ready()) {
    if (ended_within(milliseconds(10))) return false;
    if (std::chrono::steady_clock::now() > deadline) throw std::runtime_error("not ready in time");
  }
  return true;
}

void run_program(const std::vector<std::string>& command, const std::filesystem::path& log) {
  const pid_t id = start(command, log, SIGKILL);
  int status = 0;
  while (::waitpid(id, &status, 0) < 0 && errno == EINTR) {
  }
  if (status != 0) {
    throw std::runtime_error(
        fmt::format("failed: {}\n{}", fmt::join(command, " "), last_lines_of(log)));
  }
}

std::uint16_t free_port() {
  const int listener = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  auto* const generic = reinterpret_cast<sockaddr*>(&address);
  const bool found = listener >= 0 && ::bind(listener, generic, size) == 0 &&
                     ::getsockname(listener, generic, &size) == 0;
  ::close(listener);
  if (!found) fail("no free port");
  return ntohs(address.sin_port);
}

std::string last_lines_of(const std::filesystem::path& log) {
  std::ifstream file(log);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  return text.size() < 2000 ? text : text.substr(text.size() - 2000);
}

}  // namespace hallmark::stores::test
