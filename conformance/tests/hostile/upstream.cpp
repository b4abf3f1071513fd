#include "conformance/tests/hostile/upstream.hpp"

#include <fmt/format.h>
#include <netinet/in.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <thread>

namespace hallmark::hostile {
namespace {

sockaddr_in loopback(std::uint16_t port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(port);
  return address;
}

std::uint16_t free_port(int type) {
  const base::Descriptor socket = bound_socket(type, 0);
  sockaddr_in address{};
  socklen_t size = sizeof(address);
  ::getsockname(socket.get(), reinterpret_cast<sockaddr*>(&address), &size);
  return ntohs(address.sin_port);
}

[[noreturn]] void give_up(const std::string& why) {
  fmt::print(stderr, "hostile: {}\n", why);
  std::exit(2);
}

}  // namespace

base::Descriptor bound_socket(int type, std::uint16_t port) {
  base::Descriptor socket(::socket(AF_INET, type | SOCK_CLOEXEC, 0));
  const int on = 1;
  ::setsockopt(socket.get(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
  const sockaddr_in address = loopback(port);
  if (::bind(socket.get(), reinterpret_cast<const sockaddr*>(&address), sizeof(address)) != 0)
    give_up(fmt::format("no socket at port {}", port));
  return socket;
}

base::Descriptor connected_socket(int type, std::uint16_t port) {
  base::Descriptor socket(::socket(AF_INET, type | SOCK_CLOEXEC, 0));
  const sockaddr_in address = loopback(port);
  if (::connect(socket.get(), reinterpret_cast<const sockaddr*>(&address), sizeof(address)) != 0)
    socket.reset();
  return socket;
}

std::unique_ptr<base::ChildProcess> start(const Upstream& command, int in, int out) {
  base::ChildOptions options;
  options.in = in;
  options.out = out;
  options.err = STDERR_FILENO;
  options.stop_signal = SIGKILL;
  auto started = base::ChildProcess::start(command, options);
  if (!started) give_up(started.error().message);
  return std::move(*started);
}

Server::Server(const Upstream& command, int type) : port_(free_port(type)) {
  Upstream placed = command;
  for (std::string& one : placed) {
    const auto at = one.find("{upstream}");
    if (at != std::string::npos) one.replace(at, 10, std::to_string(port_));
  }
  auto announced = base::make_pipe();
  if (!announced) give_up(announced.error().message);
  process_ = start(placed, -1, announced->write.get());
  announced->write.reset();
  if (read_line(announced->read).empty()) give_up("the server behind it does not start");
}

std::string read_line(const base::Descriptor& file) {
  std::string line;
  char byte = 0;
  while (base::read_some(file, {&byte, 1}) == 1) {
    line.push_back(byte);
    if (byte == '\n') return line;
  }
  return {};
}

void sleep_ms(std::uint64_t milliseconds) {
  std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
}

}  // namespace hallmark::hostile
