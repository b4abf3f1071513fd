#include "e2e/program.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <stdexcept>
#include <system_error>
#include <utility>

namespace hallmark::e2e {
namespace {

struct Pipe {
  int read = -1;
  int write = -1;
};

Pipe open_pipe() {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) throw std::system_error(errno, std::generic_category());
  return {ends[0], ends[1]};
}

pid_t spawn(const std::vector<std::string>& command, const std::string& directory, int out,
            int err) {
  std::vector<char*> arguments;
  arguments.reserve(command.size() + 1);
  for (const auto& argument : command) arguments.push_back(const_cast<char*>(argument.c_str()));
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addchdir_np(&actions, directory.c_str());
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, err, STDERR_FILENO);
  pid_t process = -1;
  const int error =
      ::posix_spawnp(&process, arguments[0], &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) throw std::system_error(error, std::generic_category(), command.front());
  return process;
}

}  // namespace

Program::Program(const std::vector<std::string>& command, const std::string& directory) {
  const Pipe out = open_pipe();
  const Pipe err = open_pipe();
  out_.descriptor = out.read;
  err_.descriptor = err.read;
  process_ = spawn(command, directory, out.write, err.write);
  ::close(out.write);
  ::close(err.write);
}

Program::~Program() {
  reap();
  for (const int descriptor : {out_.descriptor, err_.descriptor}) {
    if (descriptor >= 0) ::close(descriptor);
  }
}

void Program::reap() {
  if (process_ < 0) return;
  ::kill(process_, SIGKILL);
  ::waitpid(process_, nullptr, 0);
  process_ = -1;
}

bool Program::read_some(Clock::time_point until) {
  pollfd waiting[] = {{out_.descriptor, POLLIN, 0}, {err_.descriptor, POLLIN, 0}};
  if (out_.descriptor < 0 && err_.descriptor < 0) return false;
  const auto left =
      std::chrono::duration_cast<std::chrono::milliseconds>(until - Clock::now()).count();
  if (left <= 0 || ::poll(waiting, 2, static_cast<int>(left)) <= 0) return false;
  Stream* const streams[] = {&out_, &err_};
  for (int i = 0; i < 2; ++i) {
    if (waiting[i].revents == 0) continue;
    char buffer[65536];
    const ssize_t count = ::read(streams[i]->descriptor, buffer, sizeof buffer);
    if (count > 0) {
      streams[i]->text.append(buffer, static_cast<std::size_t>(count));
    } else {
      ::close(streams[i]->descriptor);
      streams[i]->descriptor = -1;
    }
  }
  return true;
}

bool Program::wait_for_lines(const Stream& stream, std::size_t count) {
  const auto until = Clock::now() + patience;
  while (std::cmp_less(std::ranges::count(stream.text, '\n'), count)) {
    if (stream.descriptor < 0 || !read_some(until)) return false;
  }
  return true;
}

void Program::send_signal(int signal) {
  if (process_ > 0) ::kill(process_, signal);
}

Outcome Program::wait() {
  const auto until = Clock::now() + patience;
  while (read_some(until)) continue;
  if (out_.descriptor >= 0 || err_.descriptor >= 0) {
    reap();
    throw std::runtime_error("the program did not end; it printed: " + out_.text + err_.text);
  }
  // Both pipes are closed: the program has ended, or is about to.
  int status = 0;
  ::waitpid(process_, &status, 0);
  process_ = -1;
  Outcome outcome{.exit_code = -1, .signal = 0, .out = out_.text, .err = err_.text};
  if (WIFEXITED(status)) outcome.exit_code = WEXITSTATUS(status);
  if (WIFSIGNALED(status)) outcome.signal = WTERMSIG(status);
  return outcome;
}

Outcome run(const std::vector<std::string>& command, const std::string& directory) {
  return Program(command, directory).wait();
}

}  // namespace hallmark::e2e
