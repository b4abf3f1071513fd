#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <limits>
#include <set>
#include <string>

#include "base/descriptor.hpp"
#include "e2e/hostile/target/behaviour.hpp"
#include "e2e/hostile/target/sockets.hpp"
#include "protocol/dialects.hpp"
#include "reference/server/server_clock.hpp"
#include "reference/session/datagram_session.hpp"

namespace hallmark::hostile {
namespace {

constexpr std::size_t largest = 60'000;  ///< reply that it makes
constexpr std::size_t longest = 65'536;  ///< datagram that there is

/// The reference limiter, whose replies are spoilt.
class Limiter {
 public:
  Limiter(const Behaviour& behaviour, std::uint16_t port)
      : behaviour_(behaviour),
        socket_(bound_socket(SOCK_DGRAM, port)),
        other_(bound_socket(SOCK_DGRAM, 0)) {}

  void serve() {
    std::string buffer(longest, '\0');
    for (;;) {
      sockaddr_in from{};
      socklen_t size = sizeof(from);
      const ssize_t got = ::recvfrom(socket_.get(), buffer.data(), buffer.size(), 0,
                                     reinterpret_cast<sockaddr*>(&from), &size);
      if (got >= 0) answer(buffer.substr(0, static_cast<std::size_t>(got)), from);
    }
  }

 private:
  bool is(const char* name) const { return behaviour_.name == name; }

  void answer(const std::string& request, const sockaddr_in& from) {
    meet(request);
    if (is("silent") || (is("hangs-after") && requests_ > behaviour_.argument)) return;
    while (is("hangs-of-size") && request == "get_size") ::pause();
    protocol::ByteBuffer out;
    session_.answer({reinterpret_cast<const std::uint8_t*>(request.data()), request.size()},
                    clock_.now(), out);
    if (!out.empty()) give({reinterpret_cast<const char*>(out.data()), out.size()}, from);
  }

  void meet(const std::string& request) {
    ++requests_;
    if (is("segv") && request.find("over_limit") != std::string::npos) die("segv");
    if (is("dies-after") && requests_ > behaviour_.argument) die("abort");
  }

  void give(const std::string& reply, const sockaddr_in& to) {
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

  void send(const sockaddr_in& to, const base::Descriptor& from, const std::string& bytes) {
    ::sendto(from.get(), bytes.data(), bytes.size(), 0, reinterpret_cast<const sockaddr*>(&to),
             sizeof(to));
  }

  Behaviour behaviour_;
  base::Descriptor socket_;
  base::Descriptor other_;
  const protocol::Readings readings_{protocol::ratelimit_udp, protocol::Profile::deployed};
  const protocol::ratelimit::Rules rules_ = protocol::ratelimit::example_rules();
  const server::ServerClock clock_;
  model::RateLimiter limiter_{rules_, model::rate_behaviour_of(readings_),
                              std::numeric_limits<std::size_t>::max()};
  server::DatagramSession session_{limiter_, readings_};
  std::uint64_t requests_ = 0;
};

const std::set<std::string> limiter_behaviours{"passes",  "silent",        "hangs-after", "segv",
                                               "large",   "empty",         "dies-after",  "doubles",
                                               "floods",  "other-port",    "other-ids",   "late",
                                               "garbage", "hangs-of-size", "lies-after"};

}  // namespace

void serve_datagrams(const Behaviour& behaviour, std::uint16_t port) {
  if (limiter_behaviours.contains(behaviour.name)) Limiter(behaviour, port).serve();
}

}  // namespace hallmark::hostile
