#include <fmt/format.h>
#include <unistd.h>

#include <boost/asio/io_context.hpp>
#include <boost/asio/signal_set.hpp>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/random.hpp"
#include "base/text.hpp"
#include "cli/commands.hpp"
#include "cli/decode/format_options.hpp"
#include "cli/options/command_line.hpp"
#include "cli/options/complaint.hpp"
#include "cli/options/names.hpp"
#include "protocol/dialects.hpp"
#include "reference/faults/decorators.hpp"
#include "reference/server/datagram_server.hpp"
#include "reference/server/server.hpp"
#include "reference/session/adapter_session.hpp"
#include "reports/terminal.hpp"

namespace hallmark::cli {
namespace {

constexpr int success = 0;
constexpr std::size_t longest_info_version = 16;

/// The endpoints of the dialects of a transport.
struct Listening {
  const char* usual;    ///< when nothing is said
  const char* allowed;  ///< by --listen
};
constexpr Listening on_streams{"tcp://127.0.0.1:9000",
                               "tcp://host:port, tcp://[ipv6]:port, unix:///path"};
constexpr Listening on_datagrams{"udp://127.0.0.1:2000", "udp://host:port, udp://[ipv6]:port"};

/// Options that say something about streams only.
constexpr const char* stream_options[] = {"--width",
                                          "--seed",
                                          "--info-version",
                                          "--max-connections",
                                          "--max-subscriptions",
                                          "--max-value-bytes",
                                          "--max-stored-bytes",
                                          "--max-output-bytes",
                                          "--max-backlog-bytes"};
constexpr const char* datagram_options[] = {"--rules", "--separate-replies"};
/// Options of every server; an adapter is not one.
constexpr const char* server_options[] = {"--listen", "--threads", "--max-keys"};
constexpr const char* adapter_options[] = {"--stdio"};

struct ServeArguments {
  FormatArguments format;
  std::vector<std::string> listen;
  std::string rules;
  bool separate_replies = false;
  bool stdio = false;
  std::vector<std::string> mutants;
  bool list_mutants = false;
  unsigned threads = 1;
  std::optional<std::uint64_t> seed;
  std::string info_version{server::version()};
  server::ServerLimits limits;
};

int not_served(const base::Error& error) {
  return static_cast<int>(cli::refuse("serve", error.message));
}

/// Reads the endpoints that were given, or else those where such dialects are usually served. They
/// are of the kind that the dialect needs. Error: an endpoint that cannot be read, or of the other
/// transport.
template <class Endpoint>
base::Result<std::vector<Endpoint>> endpoints_of(const ServeArguments& arguments,
                                                 const protocol::Dialect& dialect,
                                                 const Listening& listening) {
  using Any = std::variant<base::TcpEndpoint, base::UdpEndpoint, base::UnixEndpoint>;
  std::vector<std::string> texts = arguments.listen;
  if (texts.empty()) texts = {listening.usual};
  std::vector<Endpoint> endpoints;
  for (const std::string& text : texts) {
    if (const auto any = base::parse_endpoint<Any>(text, base::Ports::to_listen); !any)
      return any.error();
    auto endpoint = base::parse_endpoint<Endpoint>(text, base::Ports::to_listen);
    if (!endpoint) {
      return base::Error{
          fmt::format("--listen {}; allowed for {}: {}", text, dialect.name, listening.allowed)};
    }
    endpoints.push_back(std::move(*endpoint));
  }
  return endpoints;
}

/// Checks the arguments. Error: one line with what came and what is allowed.
base::Result<server::ServerOptions> stream_options_of(const ServeArguments& arguments,
                                                      const Format& format,
                                                      const faults::ChosenBugs& bugs) {
  if (arguments.info_version.size() > longest_info_version) {
    return base::Error{fmt::format("--info-version '{}' has {} bytes; allowed: at most {}",
                                   arguments.info_version, arguments.info_version.size(),
                                   longest_info_version)};
  }
  auto endpoints = endpoints_of<server::StreamEndpoint>(arguments, format.dialect(), on_streams);
  if (!endpoints) return endpoints.error();
  server::ServerOptions options;
  options.width = format.width;
  options.readings = format.readings;
  options.listen = std::move(*endpoints);
  options.version = arguments.info_version;
  options.threads = arguments.threads;
  options.seed = arguments.seed ? *arguments.seed : base::random_seed();
  options.limits = arguments.limits;
  options.decorator = faults::stream_decorator(bugs);
  return options;
}

base::Result<server::DatagramServerOptions> datagram_options_of(const ServeArguments& arguments,
                                                                const Format& format,
                                                                const faults::ChosenBugs& bugs) {
  if (arguments.threads != 1) {
    return base::Error{
        fmt::format("--threads {}; allowed for {}: 1", arguments.threads, format.dialect().name)};
  }
  auto endpoints = endpoints_of<base::UdpEndpoint>(arguments, format.dialect(), on_datagrams);
  if (!endpoints) return endpoints.error();
  server::DatagramServerOptions options;
  options.readings = format.readings;
  options.listen = std::move(*endpoints);
  options.max_keys = arguments.limits.max_keys;
  options.merges_replies = !arguments.separate_replies;
  options.decorator = faults::datagram_decorator(bugs);
  if (!arguments.rules.empty()) {
    auto rules = protocol::ratelimit::read_rules_file(arguments.rules);
    if (!rules) return rules.error();
    options.rules = std::move(*rules);
  }
  return options;
}

/// Serves until a signal comes.
template <class AnyServer, class Options>
int run(AnyServer& server, const base::Result<Options>& options) {
  if (!options) return not_served(options.error());
  // Before the server starts: a signal must not find it half started and leave a socket behind.
  boost::asio::io_context signals_context;
  boost::asio::signal_set signals(signals_context, SIGINT, SIGTERM);
  signals.async_wait([](const boost::system::error_code&, int) {});
  const auto started = server.start(*options);
  if (!started) return not_served(started.error());
  for (const auto& endpoint : server.endpoints()) {
    fmt::print("listening on {}\n", base::printable(to_string(endpoint)));
  }
  std::fflush(stdout);
  signals_context.run();
  signals.clear();  // a second signal ends the process at once
  server.stop();
  return success;
}

int serve_streams(const ServeArguments& arguments, const Format& format,
                  const faults::ChosenBugs& bugs) {
  server::Server server;
  return run(server, stream_options_of(arguments, format, bugs));
}

int serve_datagrams(const ServeArguments& arguments, const Format& format,
                    const faults::ChosenBugs& bugs) {
  server::DatagramServer server;
  const int exit_code = run(server, datagram_options_of(arguments, format, bugs));
  if (exit_code != success) return exit_code;
  fmt::print(stderr, "hallmark serve: {}; receive buffer of {} bytes\n",
             server::to_string(server.counts()), server.receive_buffer_bytes());
  return success;
}

/// Answers the line protocol until the input ends.
int serve_adapter(const ServeArguments& arguments, const Format& format,
                  const faults::ChosenBugs& bugs) {
  if (!arguments.stdio) {
    return not_served(
        base::Error{fmt::format("{} is spoken on standard input and output; allowed: with --stdio",
                                format.dialect().name)});
  }
  const auto session = faults::adapter_session(bugs, HALLMARK_VERSION, format.readings);
  std::vector<char> input(std::size_t{64} << 10);
  std::string answers;
  for (;;) {
    const ssize_t got = ::read(STDIN_FILENO, input.data(), input.size());
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return faults::adapter_exit_code(bugs);
    answers.clear();
    session->receive({input.data(), static_cast<std::size_t>(got)}, answers);
    std::fwrite(answers.data(), 1, answers.size(), stdout);
    if (std::fflush(stdout) != 0) return success;  // nobody reads any more
  }
}

/// The service of one transport: how its dialects are served.
struct Service {
  int (*serve)(const ServeArguments&, const Format&, const faults::ChosenBugs&);
  std::vector<std::span<const char* const>> foreign_options;  ///< that say nothing about them
};

Service service_of(protocol::Transport transport) {
  switch (transport) {
    case protocol::Transport::stream: return {serve_streams, {adapter_options, datagram_options}};
    case protocol::Transport::datagram: return {serve_datagrams, {adapter_options, stream_options}};
    case protocol::Transport::at_rest:
      return {serve_adapter, {server_options, stream_options, datagram_options}};
  }
  return {};
}

base::Result<void> refuse_foreign_options(const Command& command, const protocol::Dialect& dialect,
                                          const Service& service) {
  for (const auto options : service.foreign_options) {
    for (const char* const name : options) {
      if (command.count(name) == 0) continue;
      return base::Error{
          fmt::format("{} says nothing about {}; allowed: without it", name, dialect.name)};
    }
  }
  return {};
}

int list_mutants() {
  using reports::Align;
  reports::Table table({Align::left, Align::left, Align::left});
  for (const faults::Bug& bug : faults::all_bugs()) {
    table.add(
        {std::string(bug.id), std::string(bug.violates.front().dialect), std::string(bug.breaks)});
  }
  fmt::print("{}{}\n", table.render(),
             base::counted(faults::all_bugs().size(), "mutant", "mutants"));
  return success;
}

int serve(const Command& command, ServeArguments arguments) {
  if (arguments.list_mutants) return list_mutants();
  const auto bugs = faults::choose(arguments.mutants);
  if (!bugs) return not_served(bugs.error());
  if (arguments.stdio && command.count("--dialect") == 0)
    arguments.format.dialect = protocol::ratelimit_state.name;
  if (!arguments.listen.empty()) {
    follow_target(command, arguments.listen.front(), arguments.format);
  }
  // A dialect without widths has nothing to choose: the option is refused as what it is.
  const auto dialect = dialect_named(arguments.format.dialect);
  if (!dialect) return not_served(dialect.error());
  const Service service = service_of((*dialect)->transport);
  const auto allowed = refuse_foreign_options(command, **dialect, service);
  if (!allowed) return not_served(allowed.error());
  const auto format = read_format(arguments.format);
  if (!format) return not_served(format.error());
  return service.serve(arguments, *format, *bugs);
}

void add_limits(Command& command, server::ServerLimits& limits) {
  const auto add = [&command](const char* name, std::size_t& value, const char* text) {
    command.add_option(name, value, text)
        ->range(std::size_t{1}, std::size_t{4'294'967'294})
        ->capture_default_str()
        ->type_name("N")
        ->group("Limits");
  };
  add("--max-connections", limits.max_connections, "Beyond: accepted and closed at once");
  add("--max-keys", limits.max_keys,
      "Beyond: INSERT and SET answer 00; a new key of ratelimit-udp takes the place of one unused "
      "for 64 periods, or is answered as at its first use and not counted");
  add("--max-subscriptions", limits.max_subscriptions, "Beyond: SUBSCRIBE answers 00");
  add("--max-value-bytes", limits.max_value_bytes,
      "Value of SET, payload of PUBLISH. Beyond: skipped as it arrives and answered 00 (PUBLISH as "
      "the profile says), so that no connection makes the server hold much more unanswered input");
  add("--max-stored-bytes", limits.max_stored_bytes,
      "All values of SET together. Beyond: SET answers 00");
  add("--max-output-bytes", limits.max_output_bytes,
      "Unsent replies of a connection. Beyond: nothing more of it is read or answered until they "
      "have been sent");
  add("--max-backlog-bytes", limits.max_backlog_bytes,
      "Unsent bytes of a subscriber. Beyond: disconnected at its next delivery");
}

}  // namespace

void add_serve_command(Command& app, int& exit_code) {
  auto* command = app.add_subcommand("serve", "Run the reference server");
  const auto arguments = std::make_shared<ServeArguments>();
  add_format_options(*command, arguments->format, "the server", Follows::datagrams);
  command
      ->add_option("--listen", arguments->listen,
                   "tcp://host:port, tcp://[ipv6]:port or unix:///path, and udp:// for "
                   "ratelimit-udp; several "
                   "allowed; port 0 lets the system choose")
      ->type_name("ENDPOINT")
      ->default_str(fmt::format("{}, of ratelimit-udp {}", on_streams.usual, on_datagrams.usual));
  command
      ->add_option("--rules", arguments->rules,
                   "Of ratelimit-udp: the limits of keys (docs/rules.md); without it those of the "
                   "document's examples")
      ->type_name("FILE");
  command->add_flag("--separate-replies", arguments->separate_replies,
                    "Of ratelimit-udp: gives the system each reply by itself, so that a packet "
                    "capture on loopback shows them so; takes more CPU time");
  command->add_flag("--stdio", arguments->stdio,
                    "Of ratelimit-state: answer the line protocol (docs/adapter.md) on standard "
                    "input and output");
  command
      ->add_option("--threads", arguments->threads,
                   "Threads that serve connections; of ratelimit-udp 1")
      ->range(1U, 256U)
      ->capture_default_str();
  command->add_option("--seed", arguments->seed, "Makes connection ids repeatable")->type_name("N");
  command
      ->add_option("--info-version", arguments->info_version,
                   "What INFO names as its version, at most 16 bytes")
      ->type_name("TEXT")
      ->capture_default_str();
  add_limits(*command, arguments->limits);
  command
      ->add_option("--mutant", arguments->mutants,
                   "Have that bug on purpose; may be repeated for several bugs at once")
      ->type_name("ID")
      ->group("Bugs");
  command->add_flag("--list-mutants", arguments->list_mutants, "Print all bugs and stop")
      ->group("Bugs");
  command->footer(
      "Prints `listening on ENDPOINT` for each listener, then serves until SIGINT or SIGTERM.\n"
      "Bytes that are not a request close the connection, after everything before them was "
      "answered.\n"
      "In ratelimit-udp, a datagram that is not a request gets no reply; at the end, one line on "
      "standard\nerror counts all datagrams and their fates.\n\n"
      "Examples:\n"
      "  hallmark serve --width u16 --listen tcp://127.0.0.1:9000\n"
      "  hallmark serve --width u64 --listen tcp://[::1]:0 --listen unix:///tmp/throttr.sock\n"
      "  hallmark serve --threads 4 --max-keys 1000000\n"
      "  hallmark serve --dialect throttr-7.1 --profile literal --reading ttl-zero=refused\n"
      "  hallmark serve --dialect ratelimit-udp --listen udp://127.0.0.1:2000 --rules my.rules\n"
      "  hallmark serve --stdio\n"
      "  hallmark serve --mutant purge.keeps --mutant query.consumes");
  command->callback([command, arguments, &exit_code] { exit_code = serve(*command, *arguments); });
}

}  // namespace hallmark::cli
