#include <signal.h>
#include <unistd.h>

#include <set>

#include "conformance/tests/hostile/upstream.hpp"

namespace hallmark::hostile {
namespace {

void write_all(int fd, const std::string& bytes) {
  for (std::size_t at = 0; at < bytes.size();) {
    const ssize_t written = ::write(fd, bytes.data() + at, bytes.size() - at);
    if (written <= 0) ::_exit(0);
    at += static_cast<std::size_t>(written);
  }
}

/// The next line with its newline; empty: there is none.
std::string read_line(int fd) {
  std::string line;
  char byte = 0;
  while (::read(fd, &byte, 1) == 1) {
    line.push_back(byte);
    if (byte == '\n') return line;
  }
  return {};
}

[[noreturn]] void write_endlessly(int fd) {
  const std::string much(65536, 'x');
  for (;;) write_all(fd, much);
}

[[noreturn]] void sleep_for_ever() {
  for (;;) ::pause();
}

const std::set<std::string> names{"passes",        "endless-line", "no-newline", "garbage",
                                  "segv-after",    "exits-after",  "sleeps",     "closes-output",
                                  "floods-errors", "deep",         "two-lines",  "ignores-sigterm",
                                  "unasked"};

class Adapter {
 public:
  Adapter(const Behaviour& behaviour, const Upstream& upstream) : behaviour_(behaviour) {
    int in[2];
    int out[2];
    if (::pipe2(in, 0) != 0 || ::pipe2(out, 0) != 0) die("exit");
    start(upstream, in[0], out[1]);
    ::close(in[0]);
    ::close(out[1]);
    to_ = in[1];
    from_ = out[0];
  }

  void serve() {
    if (is("ignores-sigterm")) ::signal(SIGTERM, SIG_IGN);
    for (std::string line = read_line(STDIN_FILENO); !line.empty();
         line = read_line(STDIN_FILENO)) {
      write_all(to_, line);
      const std::string answer = read_line(from_);
      const bool due = ++answered_ > behaviour_.argument;
      if (due) misbehave(answer);
      write_all(STDOUT_FILENO, answer);
      if (due && is("two-lines")) write_all(STDOUT_FILENO, answer);
    }
    if (is("ignores-sigterm")) sleep_for_ever();
    ::_exit(0);
  }

 private:
  bool is(const char* name) const { return behaviour_.name == name; }

  void misbehave(const std::string& answer) {
    if (is("endless-line")) write_endlessly(STDOUT_FILENO);
    if (is("floods-errors")) write_endlessly(STDERR_FILENO);
    if (is("segv-after")) die("segv");
    if (is("exits-after")) die("exit");
    if (is("sleeps") || is("ignores-sigterm")) sleep_for_ever();
    if (is("no-newline")) write_all(STDOUT_FILENO, answer.substr(0, answer.size() - 1));
    if (is("no-newline")) sleep_for_ever();
    if (is("garbage")) write_all(STDOUT_FILENO, "\xff\xfe{\"id\":\n");
    if (is("deep")) write_all(STDOUT_FILENO, std::string(200'000, '[') + "\n");
    if (is("unasked")) write_all(STDOUT_FILENO, "{\"id\":999999}\n");
    if (is("closes-output")) {
      ::close(STDOUT_FILENO);
      sleep_for_ever();
    }
  }

  Behaviour behaviour_;
  int to_ = -1;
  int from_ = -1;
  std::uint64_t answered_ = 0;
};

}  // namespace

void serve_lines(const Behaviour& behaviour, const Upstream& upstream) {
  if (names.contains(behaviour.name)) Adapter(behaviour, upstream).serve();
}

}  // namespace hallmark::hostile
