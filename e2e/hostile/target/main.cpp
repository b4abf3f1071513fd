#include <fmt/format.h>
#include <signal.h>
#include <sys/resource.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <optional>

#include "base/hex.hpp"
#include "base/number.hpp"
#include "e2e/hostile/target/behaviour.hpp"

namespace hallmark::hostile {

namespace {

std::optional<std::uint64_t> number_in(const std::string& argument) {
  constexpr std::string_view of_byte = "0x";
  if (!argument.starts_with(of_byte)) return base::number_in<std::uint64_t>(argument);
  const auto bytes = base::from_hex(argument.substr(of_byte.size()));
  return bytes && bytes->size() == 1 ? std::optional<std::uint64_t>(bytes->front()) : std::nullopt;
}

}  // namespace

Behaviour parse(const std::string& text) {
  const auto colon = text.find(':');
  if (colon == std::string::npos) return {text, 0};
  const auto value = number_in(text.substr(colon + 1));
  if (!value) {
    fmt::print(stderr, "hostile: '{}' does not end with a number\n", text);
    std::_Exit(2);
  }
  return {text.substr(0, colon), *value};
}

void die(const std::string& how) {
  const rlimit no_core{0, 0};
  ::setrlimit(RLIMIT_CORE, &no_core);
  fmt::print(stderr, "hostile: about to {}\n", how);
  if (how == "exit") std::_Exit(9);
  const int signal = how == "abort" ? SIGABRT : SIGSEGV;
  ::signal(signal, SIG_DFL);
  ::raise(signal);
  std::_Exit(10);
}

}  // namespace hallmark::hostile

/// hostile stream|datagram|lines BEHAVIOUR [PORT] [DIALECT WIDTH [BUG…]]
int main(int count, char** arguments) {
  using namespace hallmark;
  using namespace hallmark::hostile;
  if (count < 3) {
    fmt::print(stderr, "hostile stream|datagram|lines BEHAVIOUR [PORT] [DIALECT WIDTH [BUG...]]\n");
    return 2;
  }
  ::signal(SIGPIPE, SIG_IGN);
  const std::string kind = arguments[1];
  const Behaviour behaviour = parse(arguments[2]);
  if (behaviour.name == "dies-first") die("exit");
  const auto port = base::number_in<std::uint16_t>(count > 3 ? arguments[3] : "").value_or(0);
  if (kind == "stream")
    serve_streams(behaviour, port, {arguments + std::min(count, 4), arguments + count});
  if (kind == "datagram") serve_datagrams(behaviour, port);
  if (kind == "lines") serve_lines(behaviour);
  fmt::print(stderr, "hostile: no {} {}\n", kind, behaviour.name);
  return 2;
}
