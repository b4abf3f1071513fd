#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <cstring>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string_view>
#include <thread>

#include "e2e/hostile/target/behaviour.hpp"
#include "e2e/hostile/target/proper.hpp"
#include "e2e/hostile/target/sockets.hpp"

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

/// Behaviours that answer nothing properly: what becomes of a connection.
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

/// The peer of a connection over IPv4.
model::Peer peer_of(int client) {
  sockaddr_in address{};
  socklen_t size = sizeof(address);
  ::getpeername(client, reinterpret_cast<sockaddr*>(&address), &size);
  model::Peer peer;
  peer.port = ntohs(address.sin_port);
  ::inet_ntop(AF_INET, &address.sin_addr, peer.ip.data(), peer.ip.size());
  std::memcpy(peer.address.data(), &address.sin_addr, sizeof(address.sin_addr));
  return peer;
}

/// A proper server, and what is done to its replies.
class Spoiler {
 public:
  Spoiler(const Behaviour& behaviour, const Spoken& spoken)
      : behaviour_(behaviour), spoken_(spoken), server_(std::make_shared<ProperServer>(spoken)) {
    if (is("ends-by-itself")) end_after(behaviour.argument);
  }

  bool known() const { return names.find(" " + behaviour_.name + " ") != std::string::npos; }

  void serve(int client) {
    if (is("caches")) remember();
    const std::shared_ptr<ProperServer> server = current();
    const auto line = server->open(peer_of(client));
    if (line == nullptr) return;
    send_at_once(client);
    pollfd waiting[] = {{client, POLLIN, 0}, {line->published_fd(), POLLIN, 0}};
    std::uint64_t replied = 0;
    bool at_rest = true;  // what comes next from the client begins a request
    for (bool on = true; on && ::poll(waiting, 2, -1) > 0;) {
      if (waiting[1].revents != 0) on = give(client, line->published(), replied);
      if (on && waiting[0].revents != 0) on = exchange(client, *line, replied, at_rest);
      on = on && !line->is_over();
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

  std::shared_ptr<ProperServer> current() {
    const std::lock_guard lock(mutex_);
    return server_;
  }

  /// Begins with nothing, as a server that was started again.
  void restart() {
    const std::lock_guard lock(mutex_);
    server_->end();
    server_ = std::make_shared<ProperServer>(spoken_);
  }

  /// Passes requests on, and what is answered back. Returns true if the connection goes on.
  bool exchange(int client, ProperServer::Line& line, std::uint64_t& replied, bool& at_rest) {
    const std::string requests = read_some(client);
    if (requests.empty()) return false;
    meet(requests, at_rest);
    if (hangs_) park();
    // The server gets bytes one by one where it has to answer, and to delay, each request alone.
    const std::size_t at_once = is("delays") ? 1 : requests.size();
    for (std::size_t at = 0; at < requests.size(); at += at_once) {
      std::string replies = line.answer(requests.substr(at, at_once));
      at_rest = !replies.empty();
      while (line.has_more()) {
        if (!give(client, replies, replied)) return false;
        replies = line.answer({});
      }
      if (!give(client, replies, replied)) return false;
    }
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
    if (is("restarts-after") && at_rest && count % behaviour_.argument == 0) restart();
  }

  /// Gives replies to the client. Returns true if the connection goes on.
  bool give(int client, std::string replies, std::uint64_t& replied) {
    if (replies.empty()) return true;
    if (is("delays")) sleep_ms(behaviour_.argument);
    const bool now_and_then = is("changes-every") || is("doubles-every");
    const bool due = now_and_then && ++replies_ % behaviour_.argument == 0;
    if (is("doubles") || (is("doubles-every") && due)) replies += replies;
    if (is("changes-every") && due) replies.front() ^= 1;
    if (is("halves")) replies.resize((replies.size() + 1) / 2);
    if (is("floods-replies")) endlessly(client, replies);
    if (is("trickles")) {
      for (const char byte : replies) {
        write_all(client, std::string(1, byte));
        sleep_ms(behaviour_.argument);
      }
      return true;
    }
    if (is("closes-after") && replied + replies.size() > behaviour_.argument) {
      write_all(client, replies.substr(0, behaviour_.argument - replied));
      return false;
    }
    replied += replies.size();
    write_all(client, replies);
    return true;
  }

  static const std::string names;

  const Behaviour behaviour_;
  const Spoken spoken_;
  std::mutex mutex_;
  std::shared_ptr<ProperServer> server_;
  std::deque<std::string> remembered_;
  std::atomic<std::uint64_t> requests_{0};
  std::atomic<std::uint64_t> replies_{0};
  std::atomic<bool> hangs_{false};
};

const std::string Spoiler::names =
    " passes one-at-a-time caches segv abort exit segv-later hangs-after dies-after restarts-after "
    "delays "
    "changes-every doubles doubles-every halves floods-replies trickles closes-after "
    "ends-by-itself ";

}  // namespace

void serve_streams(const Behaviour& behaviour, std::uint16_t port, const Spoken& spoken) {
  std::function<void(int)> serve;
  const auto all = plain(behaviour);
  std::unique_ptr<Spoiler> spoiler;
  if (const auto found = all.find(behaviour.name); found != all.end()) serve = found->second;
  if (!spoken.empty()) {
    spoiler = std::make_unique<Spoiler>(behaviour, spoken);
    if (spoiler->known()) serve = [&](int client) { spoiler->serve(client); };
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
