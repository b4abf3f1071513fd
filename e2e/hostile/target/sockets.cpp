#include "e2e/hostile/target/sockets.hpp"

#include <fmt/format.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>

namespace hallmark::hostile {
namespace {

[[noreturn]] void give_up(const std::string& why) {
  fmt::print(stderr, "hostile: {}\n", why);
  std::_Exit(2);
}

}  // namespace

base::Descriptor bound_socket(int type, std::uint16_t port) {
  base::Descriptor socket(::socket(AF_INET, type | SOCK_CLOEXEC, 0));
  if (!socket.open()) give_up("the system has no socket left");
  const int on = 1;
  ::setsockopt(socket.get(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(port);
  if (::bind(socket.get(), reinterpret_cast<const sockaddr*>(&address), sizeof(address)) != 0)
    give_up(fmt::format("no socket at port {}", port));
  return socket;
}

void sleep_ms(std::uint64_t milliseconds) {
  std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
}

}  // namespace hallmark::hostile
