#include <signal.h>
#include <sys/resource.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "conformance/tests/hostile/behaviour.hpp"

namespace hallmark::hostile {

Behaviour parse(const std::string& text) {
  const auto colon = text.find(':');
  if (colon == std::string::npos) return {text, 0};
  const std::string argument = text.substr(colon + 1);
  char* end = nullptr;
  const std::uint64_t value = std::strtoull(argument.c_str(), &end, 0);
  if (argument.empty() || *end != '\0') {
    std::fprintf(stderr, "hostile: %s is no number\n", argument.c_str());
    std::exit(2);
  }
  return {text.substr(0, colon), value};
}

void die(const std::string& how) {
  const rlimit no_core{0, 0};
  ::setrlimit(RLIMIT_CORE, &no_core);
  std::fprintf(stderr, "hostile: about to %s\n", how.c_str());
  std::fflush(stderr);
  if (how == "exit") std::_Exit(9);
  const int signal = how == "abort" ? SIGABRT : SIGSEGV;
  ::signal(signal, SIG_DFL);
  ::raise(signal);
  std::_Exit(10);
}

}  // namespace hallmark::hostile

/// hostile stream|datagram|lines BEHAVIOUR [PORT] [UPSTREAM…]
int main(int count, char** arguments) {
  using namespace hallmark::hostile;
  if (count < 3) {
    std::fprintf(stderr, "hostile stream|datagram|lines BEHAVIOUR [PORT] [UPSTREAM...]\n");
    return 2;
  }
  ::signal(SIGPIPE, SIG_IGN);
  const std::string kind = arguments[1];
  const Behaviour behaviour = parse(arguments[2]);
  if (behaviour.name == "dies-first") die("exit");
  const int skipped = kind == "lines" ? 3 : 4;
  const auto port = static_cast<std::uint16_t>(count > 3 ? std::atoi(arguments[3]) : 0);
  const Upstream upstream(arguments + (count > skipped ? skipped : count), arguments + count);
  if (kind == "stream") serve_streams(behaviour, port, upstream);
  if (kind == "datagram") serve_datagrams(behaviour, port, upstream);
  if (kind == "lines") serve_lines(behaviour, upstream);
  std::fprintf(stderr, "hostile: no %s %s\n", kind.c_str(), behaviour.name.c_str());
  return 2;
}
