#include <arpa/inet.h>
#include <gmock/gmock.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <thread>

#include "conformance/drivers/stream/socket_network.hpp"
#include "conformance/tests/fixture.hpp"

namespace hallmark::conformance::testing {
namespace {

/// A server's way with each connection that it accepts. Returns true to be called again when the
/// peer has sent something.
using Manners = std::function<bool(int connection)>;

bool read_all(int connection) {
  char bytes[4096];
  const ssize_t got = ::recv(connection, bytes, sizeof(bytes), MSG_DONTWAIT);
  return got > 0;
}

void write_all(int connection, std::string_view bytes) {
  (void)::send(connection, bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
}

/// Resets instead of closing.
void reset(int connection) {
  const linger now{1, 0};
  ::setsockopt(connection, SOL_SOCKET, SO_LINGER, &now, sizeof(now));
}

/// A server with bad manners on a real socket; one thread, ended with the test.
class RudeServer {
 public:
  explicit RudeServer(Manners manners) : manners_(std::move(manners)) {
    listener_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof(address);
    ::bind(listener_, reinterpret_cast<sockaddr*>(&address), size);
    ::listen(listener_, 64);
    ::getsockname(listener_, reinterpret_cast<sockaddr*>(&address), &size);
    port_ = ntohs(address.sin_port);
    (void)::pipe(stop_);
    thread_ = std::jthread([this] { serve(); });
  }

  ~RudeServer() {
    ::close(stop_[1]);
    thread_.join();
    ::close(stop_[0]);
    ::close(listener_);
  }
  RudeServer(const RudeServer&) = delete;
  RudeServer& operator=(const RudeServer&) = delete;

  std::uint16_t port() const { return port_; }

 private:
  void serve() {
    std::vector<pollfd> polled{{stop_[0], POLLIN, 0}, {listener_, POLLIN, 0}};
    for (;;) {
      ::poll(polled.data(), polled.size(), -1);
      if (polled[0].revents != 0) break;
      for (std::size_t i = polled.size(); i-- > 2;) {
        if (polled[i].revents == 0 || manners_(polled[i].fd)) continue;
        ::close(polled[i].fd);
        polled.erase(polled.begin() + static_cast<std::ptrdiff_t>(i));
      }
      if (polled[1].revents == 0) continue;
      const int connection = ::accept(listener_, nullptr, nullptr);
      if (connection >= 0) polled.push_back({connection, POLLIN, 0});
    }
    for (std::size_t i = 2; i < polled.size(); ++i) ::close(polled[i].fd);
  }

  Manners manners_;
  int listener_ = -1;
  int stop_[2]{};
  std::uint16_t port_ = 0;
  std::jthread thread_;
};

struct Rude {
  std::string name;
  Manners manners;
};

class Hostile : public ::testing::TestWithParam<Rude> {};

/// Comes to an end (the test has a time limit), with a verdict for every case, and no pass but of
/// what asks for nothing.
TEST_P(Hostile, GetsAVerdictForEveryCase) {
  const RudeServer server(GetParam().manners);
  CertifyOptions options;
  options.target = base::TcpEndpoint{"127.0.0.1", server.port()};
  options.deadline = 50'000'000;
  options.schedule.jobs = 4;
  Suite suite{unit_of_vector(pipelinable_vector()), unit_of_vector(sample_vector())};
  for (Unit& unit : suite_of_behaviours(behaviour_cases(format_u16()), "throttr-7.1/u16"))
    suite.push_back(std::move(unit));
  const auto result = certify(format_u16(), suite, options);
  EXPECT_EQ(result.cases.size(), cases_in(suite) + 2);
  EXPECT_EQ(result.cases.front().verdict, reports::Verdict::fail) << result.cases.front().reason;
  EXPECT_EQ(reports::exit_code(result), reports::ExitCode::failures);
}

INSTANTIATE_TEST_SUITE_P(
    Servers, Hostile,
    ::testing::Values(Rude{"closes", [](int) { return false; }},
                      Rude{"resets",
                           [](int connection) {
                             reset(connection);
                             return false;
                           }},
                      Rude{"silent", [](int connection) { return read_all(connection); }},
                      Rude{"deaf", [](int) { return true; }},
                      Rude{"garbage",
                           [](int connection) {
                             write_all(connection, "\xde\xad\xbe\xef\x00garbage");
                             return read_all(connection);
                           }},
                      Rude{"endless",
                           [](int connection) {
                             write_all(connection, std::string(100'000, '\x01'));
                             return true;
                           }},
                      Rude{"claims_much",
                           [](int connection) {
                             write_all(connection, "\x01" + std::string(15, '\xff'));
                             return read_all(connection);
                           }},
                      Rude{"echo",
                           [](int connection) {
                             char bytes[4096];
                             const ssize_t got =
                                 ::recv(connection, bytes, sizeof(bytes), MSG_DONTWAIT);
                             if (got > 0)
                               write_all(connection, {bytes, static_cast<std::size_t>(got)});
                             return got > 0;
                           }}),
    [](const auto& row) { return row.param.name; });

TEST(Unreachable, IsToldInOneLine) {
  const int probe = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof(address);
  ASSERT_EQ(::bind(probe, reinterpret_cast<sockaddr*>(&address), size), 0);
  ::getsockname(probe, reinterpret_cast<sockaddr*>(&address), &size);
  // Bound and not listening: nobody else can be there.
  CertifyOptions options;
  options.target = base::TcpEndpoint{"127.0.0.1", ntohs(address.sin_port)};
  const auto result = certify(format_u16(), {unit_of_vector(pipelinable_vector())}, options);
  ::close(probe);
  EXPECT_THAT(result.run_error, ::testing::HasSubstr("cannot connect to tcp://127.0.0.1:"));
  EXPECT_EQ(reports::exit_code(result), reports::ExitCode::unreachable_or_harness_error);
}

}  // namespace
}  // namespace hallmark::conformance::testing
