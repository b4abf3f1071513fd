#include <signal.h>
#include <unistd.h>

#include <set>

#include "conformance/tests/hostile/upstream.hpp"

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

const std::set<std::string> names{"passes",        "endless-line", "no-newline", "garbage",
                                  "segv-after",    "exits-after",  "sleeps",     "closes-output",
                                  "floods-errors", "deep",         "two-lines",  "ignores-sigterm",
                                  "unasked"};

class Adapter {
 public:
  Adapter(const Behaviour& behaviour, const Upstream& upstream) : behaviour_(behaviour) {
    auto in = base::make_pipe();
    auto out = base::make_pipe();
    if (!in || !out) die("exit");
    process_ = start(upstream, in->read.get(), out->write.get());
    to_ = std::move(in->write);
    from_ = std::move(out->read);
  }

  void serve() {
    if (is("ignores-sigterm")) ::signal(SIGTERM, SIG_IGN);
    for (std::string line = read_line(in_); !line.empty(); line = read_line(in_)) {
      write(to_, line);
      const std::string answer = read_line(from_);
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
    if (is("deep")) write(out_, std::string(200'000, '[') + "\n");
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
  base::Descriptor to_;
  base::Descriptor from_;
  std::unique_ptr<base::ChildProcess> process_;
  std::uint64_t answered_ = 0;
};

}  // namespace

void serve_lines(const Behaviour& behaviour, const Upstream& upstream) {
  if (names.contains(behaviour.name)) Adapter(behaviour, upstream).serve();
}

}  // namespace hallmark::hostile
