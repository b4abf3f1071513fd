#include "conformance/process.hpp"

#include <fmt/format.h>
#include <netinet/in.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstring>

namespace hallmark::conformance {
namespace {

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

}  // namespace

boost::system::result<std::unique_ptr<Process>, std::string> Process::start(
    const std::string& command) {
  const std::uint16_t port = free_port();
  if (port == 0) return std::string("no free port on the loopback address");
  const int output = memfd_create("target-output", MFD_CLOEXEC);
  if (output < 0)
    return fmt::format("cannot keep what the target writes: {}", std::strerror(errno));
  auto child = Child::start(with_port(command, port), {.in = -1, .out = output, .err = output});
  if (!child) {
    ::close(output);
    return child.error();
  }
  return std::unique_ptr<Process>(new Process(std::move(*child), port, output));
}

Process::~Process() {
  child_.reset();
  ::close(output_);
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
  std::string how = child_->how_it_ended();
  if (how.empty()) return {};
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
