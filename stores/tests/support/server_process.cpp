#include "stores/tests/support/server_process.hpp"

#include <arpa/inet.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/socket.h>

#include <cerrno>
#include <csignal>
#include <fstream>
#include <stdexcept>
#include <system_error>

#include "base/descriptor.hpp"

namespace hallmark::stores::test {
namespace {

[[noreturn]] void fail(const std::string& what) {
  throw std::system_error(errno, std::generic_category(), what);
}

/// Starts it with its output at the end of `log`.
std::unique_ptr<base::ChildProcess> start(const std::vector<std::string>& command,
                                          const std::filesystem::path& log, int stop_signal) {
  const base::Descriptor output(
      ::open(log.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644));
  if (!output.open()) fail("cannot write " + log.string());
  base::ChildOptions options;
  options.out = options.err = output.get();
  options.stop_signal = options.orphan_signal = stop_signal;
  options.grace = std::chrono::seconds(10);
  return base::ChildProcess::start(command, options).value();
}

}  // namespace

ServerProcess::ServerProcess(const std::vector<std::string>& command,
                             const std::filesystem::path& log, int stop_signal)
    : child_(start(command, log, stop_signal)) {}

bool ServerProcess::wait_until(const std::function<bool()>& ready) {
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(30);
  while (!ready()) {
    if (child_->wait(std::chrono::milliseconds(10))) return false;
    if (std::chrono::steady_clock::now() > deadline) throw std::runtime_error("not ready in time");
  }
  return true;
}

void run_program(const std::vector<std::string>& command, const std::filesystem::path& log) {
  const auto child = start(command, log, SIGKILL);
  child->wait(std::chrono::hours(1));
  if (child->exit_code() != 0) {
    throw std::runtime_error(
        fmt::format("failed: {}\n{}", fmt::join(command, " "), last_lines_of(log)));
  }
}

std::uint16_t free_port() {
  const base::Descriptor listener(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  auto* const generic = reinterpret_cast<sockaddr*>(&address);
  const bool found = listener.open() && ::bind(listener.get(), generic, size) == 0 &&
                     ::getsockname(listener.get(), generic, &size) == 0;
  if (!found) fail("no free port");
  return ntohs(address.sin_port);
}

std::string last_lines_of(const std::filesystem::path& log) {
  std::ifstream file(log);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  return text.size() < 2000 ? text : text.substr(text.size() - 2000);
}

}  // namespace hallmark::stores::test
