#include "conformance/supervisor/process.hpp"

#include <fmt/format.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/descriptor.hpp"
#include "base/random.hpp"
#include "conformance/engine/clock.hpp"

namespace hallmark::conformance {
namespace {

/// Returns the port that a socket of that type could be bound to: `wanted`, or any port if that is
/// 0. Returns 0 if there is none.
std::uint16_t bindable(int type, std::uint16_t wanted) {
  const base::Descriptor socket(::socket(AF_INET, type | SOCK_CLOEXEC, 0));
  // Servers do the same: the remains of connections that have ended take no port from anybody.
  const int on = 1;
  if (type == SOCK_STREAM) setsockopt(socket.get(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(wanted);
  socklen_t size = sizeof(address);
  auto* const generic = reinterpret_cast<sockaddr*>(&address);
  const bool bound = socket.get() >= 0 && ::bind(socket.get(), generic, size) == 0 &&
                     ::getsockname(socket.get(), generic, &size) == 0;
  return bound ? ntohs(address.sin_port) : std::uint16_t{0};
}

/// Returns a port for targets of either transport; 0 if there is none. The search starts anywhere,
/// so that runs side by side do not meet.
std::uint16_t free_port(const base::PortRange& ports) {
  const std::uint32_t count = std::uint32_t{ports.last} - ports.first + 1;
  const std::uint64_t start = base::random_seed() % count;
  for (std::uint32_t i = 0; i < count; ++i) {
    const auto port = static_cast<std::uint16_t>(ports.first + (start + i) % count);
    if (port_is_free(port)) return port;
  }
  return 0;
}

void fill_in(std::string& command, std::string_view place, std::string_view value) {
  for (auto at = command.find(place); at != command.npos; at = command.find(place, at)) {
    command.replace(at, place.size(), value);
    at += value.size();
  }
}

}  // namespace

bool port_is_free(std::uint16_t port) {
  return bindable(SOCK_STREAM, port) != 0 && bindable(SOCK_DGRAM, port) != 0;
}

boost::system::result<std::unique_ptr<Process>, std::string> Process::start(
    const base::ExecEndpoint& target) {
  const std::uint16_t port = free_port(target.ports);
  if (port == 0) {
    return fmt::format("no port from {} to {} of the loopback address is free", target.ports.first,
                       target.ports.last);
  }
  auto directory = base::TemporaryDirectory::create("hallmark-target");
  if (!directory) return directory.error().message;
  std::string command = target.command;
  fill_in(command, "{port}", std::to_string(port));
  fill_in(command, "{dir}", directory->path().native());
  auto pipe = base::make_pipe();
  if (!pipe) return fmt::format("cannot keep what the target writes: {}", pipe.error().message);
  auto output = std::make_unique<OutputTail>(std::move(pipe->read));
  base::ChildOptions options;
  options.out = options.err = pipe->write.get();
  auto child = base::ChildProcess::start(base::shell_command(command), options);
  if (!child) return child.error().message;
  return std::unique_ptr<Process>(
      new Process(std::move(*directory), std::move(output), std::move(*child), port));
}

bool Process::wait(Time until) { return child_->wait(time_left(until)); }

std::string Process::how_it_died() {
  std::string how = child_->how_it_ended();
  if (how.empty()) return {};
  if (const auto lines = output_->lines(1); !lines.empty())
    how += fmt::format("; it wrote last: {}", lines.back());
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
