#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/signal_set.hpp>
#include <csignal>
#include <cstdio>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "cli/commands.hpp"
#include "cli/format_options.hpp"
#include "reference/server/server.hpp"

namespace hallmark::cli {
namespace {

constexpr int success = 0;
constexpr int usage_error = 2;
constexpr std::size_t longest_info_version = 16;

struct ServeArguments {
  FormatArguments format;
  std::vector<std::string> listen{"tcp://127.0.0.1:9000"};
  unsigned threads = 1;
  std::optional<std::uint64_t> seed;
  std::string info_version{server::version()};
  server::ServerLimits limits;
};

int complain(const protocol::Error& error) {
  fmt::print(stderr, "hallmark serve: {}\n", error.message);
  return usage_error;
}

std::uint64_t random_seed() {
  std::random_device device;
  return (std::uint64_t{device()} << 32) | device();
}

/// Checks the arguments. Error: one line with what came and what is allowed.
protocol::Result<server::ServerOptions> options_of(const ServeArguments& arguments) {
  const auto format = read_format(arguments.format);
  if (!format) return format.error();
  if (arguments.info_version.size() > longest_info_version) {
    return protocol::Error{fmt::format("--info-version '{}' has {} bytes; allowed: at most {}",
                                       arguments.info_version, arguments.info_version.size(),
                                       longest_info_version)};
  }
  server::ServerOptions options;
  options.width = format->width;
  options.readings = format->readings;
  options.version = arguments.info_version;
  options.threads = arguments.threads;
  options.seed = arguments.seed ? *arguments.seed : random_seed();
  options.limits = arguments.limits;
  for (const std::string& text : arguments.listen) {
    const auto endpoint = server::parse_endpoint(text);
    if (!endpoint) return endpoint.error();
    options.listen.push_back(*endpoint);
  }
  return options;
}

int serve(const ServeArguments& arguments) {
  const auto options = options_of(arguments);
  if (!options) return complain(options.error());
  // Before the server starts: a signal must not find it half started and leave a socket behind.
  boost::asio::io_context signals_context;
  boost::asio::signal_set signals(signals_context, SIGINT, SIGTERM);
  signals.async_wait([](const boost::system::error_code&, int) {});
  server::Server server;
  const auto started = server.start(*options);
  if (!started) return complain(started.error());
  for (const server::Endpoint& endpoint : server.endpoints()) {
    fmt::print("listening on {}\n", server::to_string(endpoint));
  }
  std::fflush(stdout);
  signals_context.run();
  signals.clear();  // a second signal ends the process at once
  server.stop();
  return success;
}

void add_limits(CLI::App& command, server::ServerLimits& limits) {
  const auto add = [&command](const char* name, std::size_t& value, const char* text) {
    command.add_option(name, value, text)
        ->check(CLI::Range(std::size_t{1}, std::size_t{4'294'967'294}))
        ->capture_default_str()
        ->type_name("N")
        ->group("Limits");
  };
  add("--max-connections", limits.max_connections, "Beyond: accepted and closed at once");
  add("--max-keys", limits.max_keys, "Beyond: INSERT and SET answer 00");
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

void add_serve_command(CLI::App& app, int& exit_code) {
  auto* command = app.add_subcommand("serve", "Run the reference server");
  const auto arguments = std::make_shared<ServeArguments>();
  add_format_options(*command, arguments->format, "the server");
  command
      ->add_option(
          "--listen", arguments->listen,
          "tcp://host:port, tcp://[ipv6]:port or unix:///path; several allowed; port 0 lets "
          "the system choose")
      ->type_name("ENDPOINT")
      ->capture_default_str();
  command->add_option("--threads", arguments->threads, "Threads that serve connections")
      ->check(CLI::Range(1U, 256U))
      ->capture_default_str();
  command->add_option("--seed", arguments->seed, "Makes connection ids repeatable")->type_name("N");
  command
      ->add_option("--info-version", arguments->info_version,
                   "What INFO names as its version, at most 16 bytes")
      ->type_name("TEXT")
      ->capture_default_str();
  add_limits(*command, arguments->limits);
  command->footer(
      "Prints `listening on ENDPOINT` for each listener, then serves until SIGINT or SIGTERM.\n"
      "Bytes that are no request close the connection, after everything before them was "
      "answered.\n\n"
      "Examples:\n"
      "  hallmark serve --width u16 --listen tcp://127.0.0.1:9000\n"
      "  hallmark serve --width u64 --listen tcp://[::1]:0 --listen unix:///tmp/throttr.sock\n"
      "  hallmark serve --threads 4 --max-keys 1000000\n"
      "  hallmark serve --dialect throttr-7.1 --profile literal --reading set-existing=refused");
  command->callback([arguments, &exit_code] { exit_code = serve(*arguments); });
}

}  // namespace hallmark::cli
