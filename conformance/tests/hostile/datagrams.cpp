#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <deque>
#include <set>
#include <vector>

#include "conformance/tests/hostile/upstream.hpp"

namespace hallmark::hostile {
namespace {

constexpr std::size_t largest = 60'000;  ///< reply that it makes
constexpr std::size_t longest = 65'536;  ///< datagram that there is

/// A client, and the socket on which the server behind answers that peer and nobody else: a late
/// reply still goes to its addressee.
struct Peer {
  sockaddr_in address;
  base::Descriptor behind;
};

/// More than the sockets that a run has open at a time.
constexpr std::size_t most_peers = 500;

class Limiter {
 public:
  Limiter(const Behaviour& behaviour, std::uint16_t port, const Upstream& upstream)
      : behaviour_(behaviour),
        socket_(bound_socket(SOCK_DGRAM, port)),
        other_(bound_socket(SOCK_DGRAM, 0)),
        server_(upstream, SOCK_DGRAM) {}

  void serve() {
    for (;;) {
      std::vector<pollfd> waiting{{socket_.get(), POLLIN, 0}};
      for (const Peer& peer : peers_) waiting.push_back({peer.behind.get(), POLLIN, 0});
      ::poll(waiting.data(), waiting.size(), -1);
      for (std::size_t i = 0; i + 1 < waiting.size(); ++i) {
        if (waiting[i + 1].revents != 0) give_back(peers_[i]);
      }
      if (waiting.front().revents != 0) forward();
    }
  }

 private:
  bool is(const char* name) const { return behaviour_.name == name; }

  void forward() {
    std::string request(longest, '\0');
    sockaddr_in from{};
    socklen_t size = sizeof(from);
    const ssize_t got = ::recvfrom(socket_.get(), request.data(), request.size(), 0,
                                   reinterpret_cast<sockaddr*>(&from), &size);
    if (got < 0) return;
    request.resize(static_cast<std::size_t>(got));
    meet(request);
    if (is("silent") || (is("hangs-after") && requests_ > behaviour_.argument)) return;
    while (is("hangs-of-size") && request == "get_size") ::pause();
    ::send(peer_at(from).behind.get(), request.data(), request.size(), 0);
  }

  const Peer& peer_at(const sockaddr_in& address) {
    const auto same = [&](const Peer& peer) {
      return peer.address.sin_port == address.sin_port &&
             peer.address.sin_addr.s_addr == address.sin_addr.s_addr;
    };
    const auto known = std::find_if(peers_.begin(), peers_.end(), same);
    if (known != peers_.end()) return *known;
    if (peers_.size() == most_peers) peers_.pop_front();
    return peers_.emplace_back(Peer{address, connected_socket(SOCK_DGRAM, server_.port())});
  }

  void send(const Peer& to, const base::Descriptor& from, const std::string& bytes) {
    ::sendto(from.get(), bytes.data(), bytes.size(), 0,
             reinterpret_cast<const sockaddr*>(&to.address), sizeof(to.address));
  }

  void meet(const std::string& request) {
    ++requests_;
    if (is("segv") && request.find("over_limit") != std::string::npos) die("segv");
    if (is("dies-after") && requests_ > behaviour_.argument) die("abort");
  }

  void give_back(const Peer& to) {
    std::string reply(longest, '\0');
    const ssize_t got = ::recv(to.behind.get(), reply.data(), reply.size(), 0);
    if (got <= 0) return;
    reply.resize(static_cast<std::size_t>(got));
    const std::uint64_t copies = is("doubles") ? 2 : is("floods") ? behaviour_.argument : 1;
    if (is("late")) sleep_ms(behaviour_.argument);
    if (is("large")) return send(to, socket_, std::string(largest, 'x'));
    if (is("empty")) return send(to, socket_, {});
    if (is("other-port")) return send(to, other_, reply);
    if (is("other-ids")) return send(to, socket_, "9" + reply);
    const bool tired = is("lies-after") && requests_ > behaviour_.argument;
    if (tired && reply.starts_with("0 size=")) return send(to, socket_, "0 size=many keys=few");
    if (is("garbage")) return send(to, socket_, std::string("\xff\x00\xfe reply", 9));
    for (std::uint64_t i = 0; i < copies; ++i) send(to, socket_, reply);
  }

  Behaviour behaviour_;
  base::Descriptor socket_;
  base::Descriptor other_;
  Server server_;
  std::deque<Peer> peers_;
  std::uint64_t requests_ = 0;
};

const std::set<std::string> names{"passes",  "silent",        "hangs-after", "segv",
                                  "large",   "empty",         "dies-after",  "doubles",
                                  "floods",  "other-port",    "other-ids",   "late",
                                  "garbage", "hangs-of-size", "lies-after"};

}  // namespace

void serve_datagrams(const Behaviour& behaviour, std::uint16_t port, const Upstream& upstream) {
  if (names.contains(behaviour.name)) Limiter(behaviour, port, upstream).serve();
}

}  // namespace hallmark::hostile
