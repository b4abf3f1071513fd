#include "e2e/lacking_server.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <optional>
#include <stdexcept>

#include "protocol/codec/decode.hpp"
#include "protocol/dialects.hpp"

namespace hallmark::e2e {
namespace {

using base::Bytes;

constexpr protocol::Width width = protocol::Width::u16;

const protocol::Readings& readings() {
  static const protocol::Readings deployed(protocol::throttr_7_1, protocol::Profile::deployed);
  return deployed;
}

void send_at_once(int socket) {
  const int on = 1;
  ::setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
}

int connected_to(unsigned port) {
  const int socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  if (::connect(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0)
    throw std::runtime_error("nobody behind the relay");
  send_at_once(socket);
  return socket;
}

/// False where the peer takes no more.
bool write_all(int socket, base::ByteView bytes) {
  while (!bytes.empty()) {
    const ssize_t sent = ::send(socket, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent <= 0) return false;
    bytes = bytes.subspan(static_cast<std::size_t>(sent));
  }
  return true;
}

/// Empty: the peer has ended the connection.
Bytes read_some(int socket) {
  Bytes bytes(16384);
  const ssize_t got = ::recv(socket, bytes.data(), bytes.size(), 0);
  bytes.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
  return bytes;
}

/// The size of the request at the front of the bytes; nothing where it is not whole.
std::optional<std::size_t> size_of_request(const protocol::Operation& operation,
                                           base::ByteView bytes) {
  protocol::Decoder decoder(protocol::Layout::request(operation, width, readings()),
                            {.refuse_unlisted = false});
  const auto state = decoder.resume(bytes);
  return state == protocol::Decoder::State::complete ? std::optional(decoder.size()) : std::nullopt;
}

}  // namespace

/// One client, and its connection to the server behind.
class LackingServer::Connection {
 public:
  Connection(int client, unsigned behind, const std::set<std::string>& lacking)
      : client_(client), server_(connected_to(behind)), lacking_(lacking) {
    send_at_once(client);
  }
  ~Connection() {
    ::close(client_);
    ::close(server_);
  }
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  void carry() {
    pollfd waiting[] = {{client_, POLLIN, 0}, {server_, POLLIN, 0}};
    for (bool on = true; on && ::poll(waiting, 2, -1) > 0;) {
      if (waiting[0].revents != 0 && !forward()) {
        ::shutdown(server_, SHUT_WR);
        waiting[0].fd = -1;
      }
      if (waiting[1].revents != 0) on = give_back();
    }
  }

 private:
  /// False where the server is to hear no more of the client.
  bool forward() {
    const Bytes arrived = read_some(client_);
    unread_.insert(unread_.end(), arrived.begin(), arrived.end());
    base::ByteView left = unread_;
    bool goes_on = !arrived.empty();
    while (goes_on && !left.empty()) {
      const auto* const operation = protocol::operation_of(readings().dialect(), left);
      goes_on = operation == nullptr || !lacking_.contains(std::string(operation->name));
      if (!goes_on) break;
      // Behind an undefined opcode nothing can be told apart: the server is to judge it.
      const auto size =
          operation == nullptr ? std::optional(left.size()) : size_of_request(*operation, left);
      if (!size) break;
      left = left.subspan(*size);
    }
    const std::size_t whole = arrived.empty() ? unread_.size() : unread_.size() - left.size();
    goes_on = write_all(server_, base::ByteView(unread_).first(whole)) && goes_on;
    unread_.erase(unread_.begin(), unread_.begin() + static_cast<std::ptrdiff_t>(whole));
    return goes_on;
  }

  bool give_back() {
    const Bytes arrived = read_some(server_);
    return !arrived.empty() && write_all(client_, arrived);
  }

  int client_;
  int server_;
  const std::set<std::string>& lacking_;
  Bytes unread_;
};

LackingServer::LackingServer(const std::string& behind, std::set<std::string> operations)
    : behind_(static_cast<unsigned>(std::stoul(behind.substr(behind.rfind(':') + 1)))),
      operations_(std::move(operations)) {
  if (::listen(socket_, 1024) != 0) throw std::runtime_error("cannot listen");
  acceptor_ = std::jthread([this] { accept(); });
}

LackingServer::~LackingServer() {
  ::shutdown(socket_, SHUT_RDWR);
  acceptor_.join();
}

void LackingServer::accept() {
  for (int client; (client = ::accept4(socket_, nullptr, nullptr, SOCK_CLOEXEC)) >= 0;) {
    connections_.emplace_back([this, client] { Connection(client, behind_, operations_).carry(); });
  }
}

}  // namespace hallmark::e2e
