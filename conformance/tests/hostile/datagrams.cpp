#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <map>
#include <memory>
#include <set>

#include "conformance/tests/hostile/upstream.hpp"

namespace hallmark::hostile {
namespace {

constexpr std::size_t largest = 60'000;

class Limiter {
 public:
  Limiter(const Behaviour& behaviour, std::uint16_t port, const Upstream& upstream)
      : behaviour_(behaviour),
        socket_(bound_socket(SOCK_DGRAM, port)),
        other_(bound_socket(SOCK_DGRAM, 0)),
        server_(upstream, SOCK_DGRAM),
        behind_(connected_socket(SOCK_DGRAM, server_.port())) {
    const timeval moment{0, 5000};  // what is not answered by then is not answered at all
    ::setsockopt(behind_, SOL_SOCKET, SO_RCVTIMEO, &moment, sizeof(moment));
  }

  void serve() {
    for (;;) {
      size_ = sizeof(peer_);
      const std::string request = receive(socket_, true);
      meet(request);
      if (is("silent") || (is("hangs-after") && requests_ > behaviour_.argument)) continue;
      ::send(behind_, request.data(), request.size(), 0);
      const std::string reply = receive(behind_, false);
      if (!reply.empty()) give_back(reply);
    }
  }

 private:
  bool is(const char* name) const { return behaviour_.name == name; }

  std::string receive(int from, bool peer) {
    std::string bytes(65536, '\0');
    const ssize_t got = peer ? ::recvfrom(from, bytes.data(), bytes.size(), 0,
                                          reinterpret_cast<sockaddr*>(&peer_), &size_)
                             : ::recv(from, bytes.data(), bytes.size(), 0);
    bytes.resize(got < 0 ? 0 : static_cast<std::size_t>(got));
    return bytes;
  }

  void send(int from, const std::string& bytes) {
    ::sendto(from, bytes.data(), bytes.size(), 0, reinterpret_cast<sockaddr*>(&peer_), size_);
  }

  void meet(const std::string& request) {
    ++requests_;
    if (is("segv") && request.find("over_limit") != std::string::npos) die("segv");
    if (is("dies-after") && requests_ > behaviour_.argument) die("abort");
  }

  void give_back(const std::string& reply) {
    const std::uint64_t copies = is("doubles") ? 2 : is("floods") ? behaviour_.argument : 1;
    if (is("late")) sleep_ms(behaviour_.argument);
    if (is("large")) return send(socket_, std::string(largest, 'x'));
    if (is("empty")) return send(socket_, {});
    if (is("other-port")) return send(other_, reply);
    if (is("other-ids")) return send(socket_, "9" + reply);
    if (is("garbage")) return send(socket_, std::string("\xff\x00\xfe reply", 9));
    for (std::uint64_t i = 0; i < copies; ++i) send(socket_, reply);
  }

  Behaviour behaviour_;
  int socket_;
  int other_;
  Server server_;
  int behind_;
  sockaddr_in peer_{};
  socklen_t size_ = 0;
  std::uint64_t requests_ = 0;
};

const std::set<std::string> names{"passes",    "silent",     "hangs-after", "segv",   "large",
                                  "empty",     "dies-after", "doubles",     "floods", "other-port",
                                  "other-ids", "late",       "garbage"};

}  // namespace

void serve_datagrams(const Behaviour& behaviour, std::uint16_t port, const Upstream& upstream) {
  if (names.contains(behaviour.name)) Limiter(behaviour, port, upstream).serve();
}

}  // namespace hallmark::hostile
