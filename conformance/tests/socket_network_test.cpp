#include "conformance/drivers/stream/socket_network.hpp"

#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <filesystem>
#include <thread>

#include "base/tests/temporary_directory.hpp"

namespace hallmark::conformance {
namespace {

constexpr Time second = 1'000'000'000;

/// Sends back what it receives, at once and without reading ahead, on a Unix socket of its own.
class Echo {
 public:
  Echo() {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    path().copy(address.sun_path, sizeof(address.sun_path) - 1);
    listener_ = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    ::bind(listener_, reinterpret_cast<sockaddr*>(&address), sizeof(address));
    ::listen(listener_, 1);
    thread_ = std::jthread([this] { serve(); });
  }

  ~Echo() {
    ::shutdown(listener_, SHUT_RDWR);
    thread_.join();
    ::close(listener_);
  }
  Echo(const Echo&) = delete;
  Echo& operator=(const Echo&) = delete;

  std::string path() const { return directory_ / "echo"; }

 private:
  void serve() const {
    const int connection = ::accept(listener_, nullptr, nullptr);
    if (connection < 0) return;
    char bytes[4096];
    for (ssize_t got = ::recv(connection, bytes, sizeof(bytes), 0); got > 0;
         got = ::recv(connection, bytes, sizeof(bytes), 0)) {
      if (::send(connection, bytes, static_cast<std::size_t>(got), MSG_NOSIGNAL) != got) break;
    }
    ::close(connection);
  }

  base::test::TemporaryDirectory directory_;
  int listener_ = -1;
  std::jthread thread_;
};

/// Takes connections over TCP, and resets each at once.
class Resetting {
 public:
  Resetting() {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof(address);
    listener_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    ::bind(listener_, reinterpret_cast<sockaddr*>(&address), size);
    ::getsockname(listener_, reinterpret_cast<sockaddr*>(&address), &size);
    port_ = ntohs(address.sin_port);
    ::listen(listener_, SOMAXCONN);
    thread_ = std::jthread([this] { serve(); });
  }

  ~Resetting() {
    ::shutdown(listener_, SHUT_RDWR);
    thread_.join();
    ::close(listener_);
  }
  Resetting(const Resetting&) = delete;
  Resetting& operator=(const Resetting&) = delete;

  base::TcpEndpoint endpoint() const { return {"127.0.0.1", port_}; }

 private:
  void serve() const {
    for (;;) {
      const int connection = ::accept(listener_, nullptr, nullptr);
      if (connection < 0) return;
      const linger at_once{1, 0};
      ::setsockopt(connection, SOL_SOCKET, SO_LINGER, &at_once, sizeof(at_once));
      ::close(connection);
    }
  }

  int listener_ = -1;
  std::uint16_t port_ = 0;
  std::jthread thread_;
};

TEST(SocketNetwork, TakesOneThatIsResetAtOnceForAConnection) {
  const Resetting resetting;
  auto network = SocketNetwork::to(resetting.endpoint());
  ASSERT_TRUE(network);
  for (int i = 0; i < 500; ++i) {
    auto link = (*network)->connect((*network)->now() + 60 * second);
    ASSERT_TRUE(link) << i << ": " << link.error();
    base::Bytes none;
    EXPECT_EQ((*link)->receive(none, (*network)->now() + 60 * second), Arrival::reset) << i;
  }
}

TEST(SocketNetwork, ListensWhileItSendsMoreThanTheTargetTakesAhead) {
  const Echo echo;
  auto network = SocketNetwork::to(base::UnixEndpoint{echo.path()});
  ASSERT_TRUE(network);
  auto link = (*network)->connect((*network)->now() + 60 * second);
  ASSERT_TRUE(link) << link.error();
  base::Bytes sent(std::size_t{8} << 20);
  for (std::size_t i = 0; i < sent.size(); ++i)
    sent[i] = static_cast<std::uint8_t>(i * 31 + (i >> 8));
  ASSERT_EQ((*link)->send(sent, (*network)->now() + 60 * second), Dispatch::sent);
  (*link)->finish_sending();
  base::Bytes got;
  Arrival arrival = Arrival::bytes;
  while (arrival == Arrival::bytes)
    arrival = (*link)->receive(got, (*network)->now() + 60 * second);
  EXPECT_EQ(arrival, Arrival::closed);
  EXPECT_TRUE(got == sent);
}

TEST(SocketNetwork, ComesBackWhenNothingArrivesInTime) {
  const Echo echo;
  auto network = SocketNetwork::to(base::UnixEndpoint{echo.path()});
  auto link = (*network)->connect((*network)->now() + 60 * second);
  ASSERT_TRUE(link) << link.error();
  base::Bytes got;
  const Time until = (*network)->now() + second / 100;
  EXPECT_EQ((*link)->receive(got, until), Arrival::timed_out);
  EXPECT_GE((*network)->now(), until);
}

TEST(SocketNetwork, SaysWhyItCannotConnect) {
  auto network = SocketNetwork::to(base::UnixEndpoint{"/nonexistent/socket"});
  const auto link = (*network)->connect((*network)->now() + second);
  ASSERT_FALSE(link);
  EXPECT_EQ(link.error(),
            "cannot connect to unix:///nonexistent/socket: No such file or directory");
}

TEST(SocketNetwork, WaitsUntilATimeOfItsClock) {
  auto network = SocketNetwork::to(base::UnixEndpoint{"/nonexistent/socket"});
  const Time until = (*network)->now() + second / 200;
  (*network)->wait_until(until);
  EXPECT_GE((*network)->now(), until);
}

}  // namespace
}  // namespace hallmark::conformance
