#include "e2e/program.hpp"

#include <poll.h>
#include <signal.h>

#include <algorithm>
#include <array>
#include <stdexcept>
#include <utility>

namespace hallmark::e2e {

Program::Program(const std::vector<std::string>& command, const std::string& directory) {
  auto out = base::make_pipe();
  auto err = base::make_pipe();
  base::ChildOptions options;
  options.out = out.value().write.get();
  options.err = err.value().write.get();
  options.directory = directory;
  options.stop_signal = SIGKILL;
  child_ = base::ChildProcess::start(command, options).value();
  out_.pipe = std::move(out->read);
  err_.pipe = std::move(err->read);
}

bool Program::read_some(Clock::time_point until) {
  pollfd waiting[] = {{out_.pipe.get(), POLLIN, 0}, {err_.pipe.get(), POLLIN, 0}};
  if (!out_.pipe.open() && !err_.pipe.open()) return false;
  const auto left =
      std::chrono::duration_cast<std::chrono::milliseconds>(until - Clock::now()).count();
  if (left <= 0 || ::poll(waiting, 2, static_cast<int>(left)) <= 0) return false;
  Stream* const streams[] = {&out_, &err_};
  for (int i = 0; i < 2; ++i) {
    if (waiting[i].revents == 0) continue;
    std::array<char, 65536> buffer;
    const auto count = base::read_some(streams[i]->pipe, buffer);
    if (count > 0) {
      streams[i]->text.append(buffer.data(), static_cast<std::size_t>(count));
    } else {
      streams[i]->pipe.reset();
    }
  }
  return true;
}

bool Program::wait_for_lines(const Stream& stream, std::size_t count) {
  const auto until = Clock::now() + patience;
  while (std::cmp_less(std::ranges::count(stream.text, '\n'), count)) {
    if (!stream.pipe.open() || !read_some(until)) return false;
  }
  return true;
}

void Program::send_signal(int signal) { child_->signal(signal); }

Outcome Program::wait() {
  const auto until = Clock::now() + patience;
  while (read_some(until)) continue;
  // When both pipes are closed, the program has ended or is about to.
  if (out_.pipe.open() || err_.pipe.open() || !child_->wait(until - Clock::now())) {
    child_->kill();
    throw std::runtime_error("the program did not end; it printed: " + out_.text + err_.text);
  }
  return {.exit_code = child_->exit_code(),
          .signal = child_->ending_signal(),
          .out = out_.text,
          .err = err_.text};
}

Outcome run(const std::vector<std::string>& command, const std::string& directory) {
  return Program(command, directory).wait();
}

}  // namespace hallmark::e2e
