#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <string>
#include <string_view>

#include "base/number.hpp"
#include "protocol/dialects.hpp"
#include "reference/server/datagram_server.hpp"
#include "reference/server/server.hpp"
#include "reference/session/adapter_session.hpp"

/// proper_server DIALECT [WIDTH] [PORT]: the reference server of a dialect at 127.0.0.1, or its
/// adapter on standard input and output, until it is ended. A hostile target has one behind it, and
/// is started hundreds of times in a run; `hallmark serve` takes twice as long to start.
namespace hallmark::e2e {
namespace {

constexpr const char* host = "127.0.0.1";

/// Serves until a signal ends the process.
template <class AnyServer, class Options>
int serve(AnyServer& server, const Options& options) {
  if (const auto started = server.start(options); !started) {
    fmt::print(stderr, "proper_server: {}\n", started.error().message);
    return 2;
  }
  fmt::print("listening\n");
  std::fflush(stdout);
  ::pause();
  return 0;
}

int serve_stream(const protocol::Readings& readings, protocol::Width width, std::uint16_t port) {
  server::Server server;
  return serve(
      server, server::ServerOptions{
                  .width = width, .readings = readings, .listen = {base::TcpEndpoint{host, port}}});
}

int serve_datagrams(const protocol::Readings& readings, std::uint16_t port) {
  server::DatagramServer server;
  return serve(server, server::DatagramServerOptions{.readings = readings,
                                                     .listen = {base::UdpEndpoint{host, port}}});
}

/// Answers until its input ends.
int adapt(const protocol::Readings& readings) {
  server::AdapterSession session("proper", readings);
  std::array<char, 65'536> input;
  std::string answers;
  for (;;) {
    const ssize_t got = ::read(STDIN_FILENO, input.data(), input.size());
    if (got <= 0) return 0;
    answers.clear();
    session.receive({input.data(), static_cast<std::size_t>(got)}, answers);
    std::fwrite(answers.data(), 1, answers.size(), stdout);
    if (std::fflush(stdout) != 0) return 0;
  }
}

int run(int count, char** arguments) {
  const auto argument = [&](int at) { return std::string_view(at < count ? arguments[at] : ""); };
  const auto dialect =
      std::ranges::find(protocol::all_dialects, argument(1), &protocol::Dialect::name);
  if (dialect == protocol::all_dialects.end()) {
    fmt::print(stderr, "proper_server DIALECT [WIDTH] [PORT]\n");
    return 2;
  }
  const protocol::Readings readings(**dialect, protocol::Profile::deployed);
  const auto port = base::number_in<std::uint16_t>(argument(count - 1)).value_or(0);
  switch ((*dialect)->transport) {
    case protocol::Transport::stream: {
      const auto width =
          std::ranges::find((*dialect)->widths, argument(2),
                            [](protocol::Width one) { return protocol::name_of(one); });
      if (width == (*dialect)->widths.end()) return 2;
      return serve_stream(readings, *width, port);
    }
    case protocol::Transport::datagram: return serve_datagrams(readings, port);
    case protocol::Transport::at_rest: return adapt(readings);
  }
  return 2;
}

}  // namespace
}  // namespace hallmark::e2e

int main(int count, char** arguments) { return hallmark::e2e::run(count, arguments); }
