#include "observe/session.hpp"

#include <arpa/inet.h>
#include <gmock/gmock.h>
#include <poll.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/hex.hpp"
#include "base/tests/temporary_directory.hpp"
#include "protocol/dialects.hpp"

namespace hallmark::observe {
namespace {

using base::Bytes;
using base::Descriptor;
using protocol::Profile;
using protocol::Readings;
using protocol::Width;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr int patience_ms = 60'000;

/// A blocking stream that gives up when patience is over.
class Peer {
 public:
  explicit Peer(Descriptor socket) : socket_(std::move(socket)) {}

  void send(const Bytes& bytes) const {
    std::size_t sent = 0;
    while (sent < bytes.size()) {
      const auto now =
          ::send(socket_.get(), bytes.data() + sent, bytes.size() - sent, MSG_NOSIGNAL);
      if (now <= 0) return;
      sent += static_cast<std::size_t>(now);
    }
  }
  /// Fewer where the other end closed, or patience is over.
  Bytes receive(std::size_t count) const {
    Bytes all;
    while (all.size() < count) {
      pollfd waiting{socket_.get(), POLLIN, 0};
      if (::poll(&waiting, 1, patience_ms) != 1) break;
      Bytes some(count - all.size());
      const auto length = ::recv(socket_.get(), some.data(), some.size(), 0);
      if (length <= 0) break;
      all.insert(all.end(), some.begin(), some.begin() + length);
    }
    return all;
  }
  void finish() const { ::shutdown(socket_.get(), SHUT_WR); }
  void close() { socket_.reset(); }

 private:
  Descriptor socket_;
};

/// Listens on a Unix socket, which needs no port.
class Target {
 public:
  explicit Target(std::string path) : path_(std::move(path)) {
    const auto address = address_of(path_);
    ::bind(socket_.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address);
    ::listen(socket_.get(), 64);
  }
  Peer accept() const {
    return Peer(Descriptor(::accept4(socket_.get(), nullptr, nullptr, SOCK_CLOEXEC)));
  }
  Endpoint endpoint() const { return base::UnixEndpoint{path_}; }

  static sockaddr_un address_of(const std::string& path) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    path.copy(address.sun_path, sizeof address.sun_path - 1);
    return address;
  }

 private:
  std::string path_;
  Descriptor socket_{::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)};
};

Peer connect_to(const std::string& name) {
  const auto endpoint = base::parse_endpoint<base::TcpEndpoint>(name);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(endpoint->port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  Descriptor socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  ::connect(socket.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address);
  return Peer(std::move(socket));
}

class SessionTest : public testing::Test {
 protected:
  void SetUp() override {
    SessionOptions options;
    options.listen = base::TcpEndpoint{"127.0.0.1", 0};
    options.target = target_.endpoint();
    options.queue_bytes = 1;
    ASSERT_TRUE(session_.listen(options));
    ASSERT_TRUE(session_.reach_target());
    target_.accept();  // the trial
    session_.start();
  }

  base::test::TemporaryDirectory directory_;
  Target target_{directory_.path() / "target.sock"};
  captures::Format format_{Width::u16, Readings(protocol::throttr_7_3, Profile::deployed)};
  Session session_{format_};
};

TEST_F(SessionTest, WhatIsSentArrivesAndIsDecoded) {
  const Peer client = connect_to(session_.listens_on());
  const Peer server = target_.accept();
  const Bytes query = *base::from_hex("0203616263");
  client.send(query);
  EXPECT_EQ(server.receive(query.size()), query);
  server.send({0x00});
  EXPECT_EQ(client.receive(1), (Bytes{0x00}));
  session_.stop();
  const auto seen = session_.observation();
  EXPECT_EQ(seen.requests, 1U);
  EXPECT_EQ(seen.replies, 1U);
  EXPECT_THAT(seen.violations, IsEmpty());
  EXPECT_EQ(seen.open, 1U);
}

TEST_F(SessionTest, AClientThatFinishesStillGetsItsReply) {
  const Peer client = connect_to(session_.listens_on());
  Peer server = target_.accept();
  client.send({1});
  client.finish();
  EXPECT_EQ(server.receive(2), (Bytes{1}));
  server.send({2});
  server.close();
  EXPECT_EQ(client.receive(2), (Bytes{2}));
}

TEST_F(SessionTest, BytesThatAreNotReadYetAreKept) {
  const Peer client = connect_to(session_.listens_on());
  const Peer server = target_.accept();
  Bytes many(std::size_t{8} << 20);
  for (std::size_t i = 0; i < many.size(); ++i) many[i] = static_cast<std::uint8_t>(i * 7 >> 3);
  std::thread sending([&] {
    client.send(many);
    client.finish();
  });
  EXPECT_EQ(server.receive(many.size() + 1), many);
  sending.join();
  session_.stop();
  const auto seen = session_.observation();
  EXPECT_EQ(seen.bytes[0], many.size());
}

TEST_F(SessionTest, AServerThatClosesEndsTheClientsConnection) {
  const Peer client = connect_to(session_.listens_on());
  target_.accept();
  EXPECT_THAT(client.receive(1), IsEmpty());
}

TEST(Session, AnAddressInUseIsRefusedInOneLine) {
  base::test::TemporaryDirectory directory;
  const Target taken(directory.path() / "taken.sock");
  captures::Format format(Width::u16, Readings(protocol::throttr_7_3, Profile::deployed));
  Session session(format);
  SessionOptions options;
  options.listen = taken.endpoint();
  options.target = taken.endpoint();
  const auto listening = session.listen(options);
  ASSERT_FALSE(listening);
  EXPECT_THAT(listening.error().message, HasSubstr("taken.sock: Address already in use"));
}

TEST(Session, ATargetThatNobodyListensAtIsNamed) {
  base::test::TemporaryDirectory directory;
  captures::Format format(Width::u16, Readings(protocol::throttr_7_3, Profile::deployed));
  Session session(format);
  SessionOptions options;
  options.listen = base::TcpEndpoint{"127.0.0.1", 0};
  options.target = base::UnixEndpoint{directory.path() / "nobody.sock"};
  ASSERT_TRUE(session.listen(options));
  const auto reached = session.reach_target();
  ASSERT_FALSE(reached);
  EXPECT_THAT(reached.error().message, HasSubstr("cannot reach unix://"));
}

}  // namespace
}  // namespace hallmark::observe
