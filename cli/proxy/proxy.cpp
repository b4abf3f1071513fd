#include <fmt/format.h>

#include <boost/asio/io_context.hpp>
#include <boost/asio/signal_set.hpp>
#include <csignal>
#include <cstdio>
#include <memory>
#include <optional>

#include "base/log_file.hpp"
#include "base/output_file.hpp"
#include "cli/commands.hpp"
#include "cli/options/command_line.hpp"
#include "cli/options/complaint.hpp"
#include "cli/proxy/proxy_options.hpp"
#include "cli/proxy/proxy_report.hpp"
#include "reports/result.hpp"

namespace hallmark::cli {
namespace {

using reports::ExitCode;

ExitCode cannot_write(const base::Error& error) {
  return refuse("proxy", error.message, ExitCode::unreachable_or_harness_error);
}

ExitCode report(const ProxyArguments& arguments, const ProxyRun& run) {
  fmt::print("\n{}", render_proxy_terminal(run, reports::style_for(stdout)));
  if (arguments.json.empty()) return ExitCode::as_expected;
  const auto written = base::write_file(arguments.json, render_proxy_json(run));
  return written ? ExitCode::as_expected : cannot_write(written.error());
}

/// Until a signal comes. Error: it could not start.
base::Result<ProxyRun> run_until_signal(const proxy::ProxyOptions& options) {
  // Before the proxy starts: a signal must not find it half started.
  boost::asio::io_context signals_context;
  boost::asio::signal_set signals(signals_context, SIGINT, SIGTERM);
  signals.async_wait([](const boost::system::error_code&, int) {});
  proxy::Proxy proxy;
  const auto started = proxy.start(options);
  if (!started) return started.error();
  ProxyRun run{
      .options = options,
      .listen = proxy::to_string(proxy.listens_on()),
      .target = proxy::to_string(proxy.forwards_to()),
      .started = std::chrono::floor<std::chrono::milliseconds>(std::chrono::system_clock::now())};
  const auto began = std::chrono::steady_clock::now();
  fmt::print("listening on {}\n", run.listen);
  std::fflush(stdout);
  signals_context.run();
  signals.clear();  // a second signal ends the process at once
  run.summary = proxy.stop();
  run.duration = std::chrono::steady_clock::now() - began;
  return run;
}

ExitCode run(const ProxyArguments& arguments) {
  auto options = read_proxy_options(arguments);
  if (!options) return refuse("proxy", options.error().message, ExitCode::usage);
  std::optional<base::LogFile> log;
  if (!arguments.log.empty()) {
    auto opened = base::LogFile::open(arguments.log, base::LogFile::Start::empty);
    if (!opened) return cannot_write(opened.error());
    log.emplace(std::move(*opened));
    options->log = [&log](const proxy::Decision& decision) {
      log->write(render_decision(decision));
    };
  }
  const auto done = run_until_signal(*options);
  if (!done) return refuse("proxy", done.error().message, ExitCode::usage);
  const ExitCode code = report(arguments, *done);
  const auto logged = log ? log->flush() : base::Result<void>();
  return logged ? code : cannot_write(logged.error());
}

}  // namespace

void add_proxy_command(Command& app, int& exit_code) {
  auto* command = app.add_subcommand(
      "proxy", "Drop, duplicate, reorder, delay and damage datagrams on their way");
  const auto arguments = std::make_shared<ProxyArguments>();
  add_proxy_options(*command, *arguments);
  command->footer(
      "Prints `listening on ENDPOINT`, then forwards between its clients and the target until\n"
      "SIGINT or SIGTERM, and says what became of the datagrams of each direction. A RATE is 2% "
      "or\n"
      "0.02. What a datagram meets with depends on the seed, its client and how many of that "
      "client\n"
      "came before it, not on time.\n\n"
      "Examples:\n"
      "  hallmark proxy --target udp://127.0.0.1:2000 --drop 2% --duplicate 1% --seed 7\n"
      "  hallmark proxy --listen udp://127.0.0.1:2001 --target udp://127.0.0.1:2000 --delay "
      "1ms..5ms\n"
      "  hallmark proxy --target udp://[::1]:2000 --drop-replies 5% --reorder 1% --reorder-by 8\n"
      "  hallmark proxy --target udp://127.0.0.1:2000 --corrupt 1% --json proxy.json --log "
      "proxy.jsonl");
  command->callback([arguments, &exit_code] { exit_code = static_cast<int>(run(*arguments)); });
}

}  // namespace hallmark::cli
