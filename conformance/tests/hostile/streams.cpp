#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string_view>
#include <thread>

#include "conformance/tests/hostile/upstream.hpp"

namespace hallmark::hostile {
namespace {

void write_all(int fd, const std::string& bytes) {
  for (std::size_t at = 0; at < bytes.size();) {
    const ssize_t sent = ::send(fd, bytes.data() + at, bytes.size() - at, MSG_NOSIGNAL);
    if (sent <= 0) return;
    at += static_cast<std::size_t>(sent);
  }
}

/// Returns the next bytes; empty if the peer has closed.
std::string read_some(int fd) {
  char buffer[16384];
  const ssize_t got = ::recv(fd, buffer, sizeof(buffer), 0);
  return got <= 0 ? std::string() : std::string(buffer, static_cast<std::size_t>(got));
}

/// Disables Nagle's algorithm: bytes are passed on at once.
void send_at_once(int fd) {
  const int on = 1;
  ::setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
}

void close_by_reset(int fd) {
  const linger now{1, 0};
  ::setsockopt(fd, SOL_SOCKET, SO_LINGER, &now, sizeof(now));
}

/// Repeats the bytes, at most 64 MiB of them a second: a flood, which leaves a processor to others.
void endlessly(int fd, const std::string& bytes) {
  std::string much;
  while (much.size() < 4096) much += bytes;
  while (::send(fd, much.data(), much.size(), MSG_NOSIGNAL) > 0) sleep_ms(1);
}

/// Returns the bytes to send after a request.
using Answer = std::function<std::string(const std::string& request)>;

void answer_each(int fd, const Answer& answer) {
  for (std::string request = read_some(fd); !request.empty(); request = read_some(fd))
    write_all(fd, answer(request));
}

std::string random_bytes(std::uint64_t& state) {
  std::string bytes;
  do {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    bytes.push_back(static_cast<char>(state));
  } while ((state >> 8) % 24 != 0);
  return bytes;
}

constexpr std::size_t shortest_fatal = 8;
/// The beginning of all keys that a suite uses.
constexpr std::string_view key_start = "hallmark";

void park() {
  for (;;) ::pause();
}

/// Behaviours that need nothing behind them: what becomes of a connection.
std::map<std::string, std::function<void(int)>> plain(const Behaviour& behaviour) {
  const std::string huge = "\x01" + std::string(15, '\xff');
  const std::uint64_t seed = behaviour.argument * 2654435761 + 88172645463325252;
  return {
      {"silent", [](int fd) { answer_each(fd, [](const auto&) { return std::string(); }); }},
      {"deaf", [](int) { park(); }},
      {"closes", [](int) {}},
      {"resets", close_by_reset},
      {"echo", [](int fd) { answer_each(fd, [](const auto& request) { return request; }); }},
      {"http",
       [](int fd) {
         answer_each(fd, [](const auto&) {
           return "HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n";
         });
       }},
      {"tls", [](int fd) { write_all(fd, std::string("\x15\x03\x01\x00\x02\x02\x28", 7)); }},
      {"greets",
       [](int fd) {
         write_all(fd, "220 mail.example ESMTP ready\r\n");
         answer_each(fd, [](const auto&) { return "500 5.5.1 Command unrecognized\r\n"; });
       }},
      {"random",
       [seed](int fd) {
         auto state = std::make_shared<std::uint64_t>(seed);
         answer_each(fd, [state](const auto&) { return random_bytes(*state); });
       }},
      {"endless", [](int fd) { endlessly(fd, std::string(65536, '\x01')); }},
      {"endless-zeros", [](int fd) { endlessly(fd, std::string(65536, '\0')); }},
      {"claims-and-stops",
       [huge](int fd) { answer_each(fd, [huge](const auto&) { return huge; }); }},
      {"claims-and-trickles",
       [huge](int fd) {
         read_some(fd);
         write_all(fd, huge);
         for (;;) {
           sleep_ms(2);
           if (::send(fd, "\xff", 1, MSG_NOSIGNAL) <= 0) return;
         }
       }},
      {"claims-and-floods",
       [huge](int fd) {
         read_some(fd);
         write_all(fd, huge);
         endlessly(fd, std::string(65536, '\xff'));
       }},
  };
}

/// A proper server behind it, and what is done to what passes.
class Relay {
 public:
  Relay(const Behaviour& behaviour, const Upstream& upstream)
      : behaviour_(behaviour), upstream_(upstream) {
    server_ = std::make_unique<Server>(upstream_, SOCK_STREAM);
    if (is("ends-by-itself")) end_after(behaviour.argument);
  }

  bool known() const { return names.find(" " + behaviour_.name + " ") != std::string::npos; }

  void carry(int client) {
    if (is("caches")) remember();
    const base::Descriptor behind = connected_socket(SOCK_STREAM, port());
    if (!behind.open()) return;
    const int server = behind.get();
    send_at_once(client);
    send_at_once(server);
    pollfd waiting[] = {{client, POLLIN, 0}, {server, POLLIN, 0}};
    std::uint64_t replied = 0;
    bool at_rest = true;  // what comes next from the client begins a request
    for (bool on = true; on && ::poll(waiting, 2, -1) > 0;) {
      if (waiting[0].revents != 0) on = forward(client, server, waiting[0], at_rest);
      if (on && waiting[1].revents != 0) {
        on = give_back(server, client, replied);
        at_rest = true;
      }
    }
  }

 private:
  bool is(const char* name) const { return behaviour_.name == name; }

  void end_after(std::uint64_t milliseconds) {
    std::thread([milliseconds] {
      sleep_ms(milliseconds);
      die("exit");
    }).detach();
  }

  /// Keeps something of so many connections, and no more.
  void remember() {
    constexpr std::size_t of_each = 4096;
    const std::lock_guard lock(mutex_);
    remembered_.emplace_back(of_each, 'x');
    if (remembered_.size() > behaviour_.argument) remembered_.pop_front();
  }

  std::uint16_t port() {
    const std::lock_guard lock(mutex_);
    return server_->port();
  }

  bool forward(int client, int server, pollfd& waiting, bool& at_rest) {
    const std::string request = read_some(client);
    if (request.empty()) {
      ::shutdown(server, SHUT_WR);
      waiting.fd = -1;
      return true;
    }
    meet(request, at_rest);
    at_rest = false;
    if (hangs_) park();
    write_all(server, request);
    return true;
  }

  /// Returns true if one of the requests begins with the byte: bytes that came together are read
  /// together.
  bool is_fatal(const std::string& requests, bool at_rest) const {
    const auto byte = static_cast<char>(behaviour_.argument);
    if (at_rest && requests.front() == byte && requests.size() >= shortest_fatal) return true;
    for (auto at = requests.find(byte); at != std::string::npos; at = requests.find(byte, at + 1)) {
      const std::string_view behind = std::string_view(requests).substr(at + 1);
      // Behind its opcode, the size of its key and then that.
      if (behind.size() > 1 && behind.substr(1).starts_with(key_start)) return true;
    }
    return false;
  }

  /// Lets the request affect the program as a whole, as the behaviour says.
  void meet(const std::string& request, bool at_rest) {
    const bool fatal = is_fatal(request, at_rest);
    if (fatal && (is("segv") || is("abort") || is("exit"))) die(behaviour_.name);
    if (fatal && is("segv-later")) {
      std::thread([] {
        sleep_ms(20);
        die("segv");
      }).detach();
    }
    const std::uint64_t count = at_rest ? ++requests_ : requests_.load();
    if (is("hangs-after") && count > behaviour_.argument) hangs_ = true;
    if (is("dies-after") && count > behaviour_.argument) die("segv");
    if (is("restarts-after") && at_rest && count % behaviour_.argument == 0) {
      const std::lock_guard lock(mutex_);
      server_ = std::make_unique<Server>(upstream_, SOCK_STREAM);
    }
  }

  /// Passes a reply back. Returns true if the connection goes on.
  bool give_back(int server, int client, std::uint64_t& replied) {
    std::string reply = read_some(server);
    if (reply.empty()) return false;
    if (is("delays")) sleep_ms(behaviour_.argument);
    const bool now_and_then = is("changes-every") || is("doubles-every");
    const bool due = now_and_then && ++replies_ % behaviour_.argument == 0;
    if (is("doubles") || (is("doubles-every") && due)) reply += reply;
    if (is("changes-every") && due) reply.front() ^= 1;
    if (is("halves")) reply.resize((reply.size() + 1) / 2);
    if (is("floods-replies")) endlessly(client, reply);
    if (is("trickles")) {
      for (const char byte : reply) {
        write_all(client, std::string(1, byte));
        sleep_ms(behaviour_.argument);
      }
      return true;
    }
    if (is("closes-after") && replied + reply.size() > behaviour_.argument) {
      write_all(client, reply.substr(0, behaviour_.argument - replied));
      return false;
    }
    replied += reply.size();
    write_all(client, reply);
    return true;
  }

  static const std::string names;

  Behaviour behaviour_;
  Upstream upstream_;
  std::mutex mutex_;
  std::unique_ptr<Server> server_;
  std::deque<std::string> remembered_;
  std::atomic<std::uint64_t> requests_{0};
  std::atomic<std::uint64_t> replies_{0};
  std::atomic<bool> hangs_{false};
};

const std::string Relay::names =
    " passes one-at-a-time caches segv abort exit segv-later hangs-after dies-after restarts-after "
    "delays "
    "changes-every doubles doubles-every halves floods-replies trickles closes-after "
    "ends-by-itself ";

}  // namespace

void serve_streams(const Behaviour& behaviour, std::uint16_t port, const Upstream& upstream) {
  std::function<void(int)> serve;
  const auto all = plain(behaviour);
  std::unique_ptr<Relay> relay;
  if (const auto found = all.find(behaviour.name); found != all.end()) serve = found->second;
  if (!upstream.empty()) {
    relay = std::make_unique<Relay>(behaviour, upstream);
    if (relay->known()) serve = [&](int client) { relay->carry(client); };
  }
  const bool never_accepts = behaviour.name == "never-accepts";
  if (!serve && !never_accepts) return;
  const base::Descriptor listener = bound_socket(SOCK_STREAM, port);
  ::listen(listener.get(), never_accepts ? 0 : 1024);
  if (never_accepts) park();
  for (;;) {
    base::Descriptor client(::accept4(listener.get(), nullptr, nullptr, SOCK_CLOEXEC));
    if (!client.open()) continue;
    if (behaviour.name == "one-at-a-time") {
      serve(client.get());
      continue;
    }
    std::thread([client = std::move(client), serve] { serve(client.get()); }).detach();
  }
}

}  // namespace hallmark::hostile
