#include <signal.h>
#include <unistd.h>

#include <set>

#include "base/descriptor.hpp"
#include "e2e/hostile/target/behaviour.hpp"
#include "e2e/hostile/target/sockets.hpp"
#include "protocol/dialects.hpp"
#include "reference/session/adapter_session.hpp"

namespace hallmark::hostile {
namespace {

/// Ends the program when nobody reads any more.
void write(const base::Descriptor& file, const std::string& bytes) {
  if (base::write_all(file, bytes) != 0) ::_exit(0);
}

/// At most 64 MiB a second: a flood, which leaves a processor to others.
[[noreturn]] void write_endlessly(const base::Descriptor& file) {
  const std::string much(65536, 'x');
  for (;; sleep_ms(1)) write(file, much);
}

[[noreturn]] void sleep_for_ever() {
  for (;;) ::pause();
}

const std::set<std::string> adapter_behaviours{
    "passes",      "endless-line",    "no-newline",    "garbage",       "segv-after",
    "exits-after", "sleeps",          "closes-output", "floods-errors", "deep",
    "two-lines",   "ignores-sigterm", "unasked"};

/// The next line with its newline; empty if there is none.
std::string read_line(const base::Descriptor& file) {
  std::string line;
  char byte = 0;
  while (base::read_some(file, {&byte, 1}) == 1) {
    line.push_back(byte);
    if (byte == '\n') return line;
  }
  return {};
}

class Adapter {
 public:
  explicit Adapter(const Behaviour& behaviour) : behaviour_(behaviour) {}

  void serve() {
    if (is("ignores-sigterm")) ::signal(SIGTERM, SIG_IGN);
    for (std::string line = read_line(in_); !line.empty(); line = read_line(in_)) {
      std::string answer;
      proper_.receive(line, answer);
      const bool due = ++answered_ > behaviour_.argument;
      if (due) misbehave(answer);
      write(out_, answer);
      if (due && is("two-lines")) write(out_, answer);
    }
    if (is("ignores-sigterm")) sleep_for_ever();
    ::_exit(0);
  }

 private:
  bool is(const char* name) const { return behaviour_.name == name; }

  void misbehave(const std::string& answer) {
    if (is("endless-line")) write_endlessly(out_);
    if (is("floods-errors")) write_endlessly(err_);
    if (is("segv-after")) die("segv");
    if (is("exits-after")) die("exit");
    if (is("sleeps") || is("ignores-sigterm")) sleep_for_ever();
    if (is("no-newline")) write(out_, answer.substr(0, answer.size() - 1));
    if (is("no-newline")) sleep_for_ever();
    if (is("garbage")) write(out_, "\xff\xfe{\"id\":\n");
    if (is("deep")) {
      std::string brackets(200'000, '[');
      brackets.push_back('\n');
      write(out_, brackets);
    }
    if (is("unasked")) write(out_, "{\"id\":999999}\n");
    if (is("closes-output")) {
      out_.reset();
      sleep_for_ever();
    }
  }

  Behaviour behaviour_;
  base::Descriptor in_{STDIN_FILENO};
  base::Descriptor out_{STDOUT_FILENO};
  base::Descriptor err_{STDERR_FILENO};
  const protocol::Readings readings_{protocol::ratelimit_state, protocol::Profile::deployed};
  server::AdapterSession proper_{"proper", readings_};
  std::uint64_t answered_ = 0;
};

}  // namespace

void serve_lines(const Behaviour& behaviour) {
  if (adapter_behaviours.contains(behaviour.name)) Adapter(behaviour).serve();
}

}  // namespace hallmark::hostile
