#include "conformance/supervisor/process.hpp"

#include <fmt/format.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <optional>

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

/// Claims the port among the runs on this machine: each would take another's target for its own.
/// The claim is a name of the abstract namespace of Unix sockets, which ends with its descriptor.
/// Returns nothing if another run has it; where the system knows no such names, claims nothing.
std::optional<base::Descriptor> claimed(std::uint16_t port) {
  base::Descriptor claim(::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  sockaddr_un name{};
  name.sun_family = AF_UNIX;
  const auto end = fmt::format_to_n(name.sun_path + 1, sizeof(name.sun_path) - 1,
                                    "hallmark target at port {}", port);
  const auto size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + end.size);
  if (::bind(claim.get(), reinterpret_cast<const sockaddr*>(&name), size) != 0 &&
      errno == EADDRINUSE)
    return std::nullopt;
  return claim;
}

/// Finds a port for targets of either transport. The search starts anywhere, so that runs side by
/// side do not meet. Returns nothing if none is free.
std::optional<ClaimedPort> free_port(const base::PortRange& ports) {
  const std::uint32_t count = std::uint32_t{ports.last} - ports.first + 1;
  const std::uint64_t start = base::random_seed() % count;
  for (std::uint32_t i = 0; i < count; ++i) {
    const auto port = static_cast<std::uint16_t>(ports.first + (start + i) % count);
    auto claim = claimed(port);
    if (claim && port_is_free(port)) return ClaimedPort{port, *std::move(claim)};
  }
  return std::nullopt;
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

base::Expected<std::unique_ptr<Process>, std::string> Process::start(
    const base::ExecEndpoint& target) {
  auto port = free_port(target.ports);
  if (!port) {
    return fmt::format("no port from {} to {} of the loopback address is free", target.ports.first,
                       target.ports.last);
  }
  auto directory = base::TemporaryDirectory::create("hallmark-target");
  if (!directory) return directory.error().message;
  std::string command = target.command;
  fill_in(command, "{port}", std::to_string(port->number));
  fill_in(command, "{dir}", directory->path().native());
  auto pipe = base::make_pipe();
  if (!pipe) return fmt::format("cannot keep what the target writes: {}", pipe.error().message);
  auto output = std::make_unique<OutputTail>(std::move(pipe->read));
  base::ChildOptions options;
  options.out = options.err = pipe->write.get();
  auto child = base::ChildProcess::start(base::shell_command(command), options);
  if (!child) return child.error().message;
  return std::unique_ptr<Process>(
      new Process(std::move(*directory), std::move(output), std::move(*child), *std::move(port)));
}

std::unique_ptr<base::ChildProcess> Process::stop(std::unique_ptr<Process> process) {
  process->child_->stop();
  return std::move(process->child_);
}

bool Process::wait(Time until) { return child_->wait(time_left(until)); }

std::string Process::how_it_died() {
  std::string how = child_->how_it_ended();
  if (how.empty()) return {};
  if (const auto lines = output_->lines(1); !lines.empty())
    how += fmt::format("; it wrote last: {}", lines.back());
  return how;
}

base::Expected<void, std::string> wait_until_it_listens(Process& process, Network& network,
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
