#include <fmt/format.h>

#include <cstdio>
#include <exception>
#include <string>
#include <vector>

#include "base/text.hpp"
#include "cli/commands.hpp"
#include "cli/options/command_line.hpp"
#include "loadgen/client/process.hpp"
#include "reports/result.hpp"

namespace hallmark::cli {
namespace {

using reports::ExitCode;

constexpr const char* footer =
    "Examples:\n"
    "  hallmark serve --width u16 --listen tcp://127.0.0.1:9000\n"
    "  hallmark identify tcp://127.0.0.1:9000\n"
    "  hallmark certify tcp://127.0.0.1:9000 --width u16 --junit certify.xml\n"
    "  hallmark certify-client --width u16 -- ./client-tests --port {port}\n"
    "  hallmark load tcp://127.0.0.1:9000 --width u16 --rate 50000 --connections 64\n"
    "  hallmark vectors show throttr-7.1/u16/insert/typical\n"
    "  hallmark report certify.json\n"
    "  hallmark decode session.pcap --width u16\n"
    "  hallmark proxy --listen udp://127.0.0.1:0 --target udp://127.0.0.1:2000 --drop 2%\n"
    "  hallmark observe --listen tcp://127.0.0.1:9001 --target tcp://127.0.0.1:9000\n"
    "  hallmark audit redis://127.0.0.1:6379 --match 'rl:*'\n"
    "`hallmark COMMAND --help` says more.\n\n"
    "Exit codes:\n"
    "  0  all as expected\n"
    "  1  failures: of the target, or vectors that have drifted\n"
    "  2  usage: the command line, or a file named on it, is not what is allowed\n"
    "  3  the target cannot be reached, or Hallmark itself could not go on\n"
    "  4  nothing failed, but something could not be decided";

void add_commands(Command& app, int& exit_code) {
  app.require_subcommand(1);
  app.set_version_flag("--version", "hallmark " HALLMARK_VERSION, "Print the version");
  app.footer(footer);
  add_serve_command(app, exit_code);
  add_certify_command(app, exit_code);
  add_certify_client_command(app, exit_code);
  add_verify_command(app, exit_code);
  add_identify_command(app, exit_code);
  add_load_command(app, exit_code);
  add_vectors_command(app, exit_code);
  add_readings_command(app, exit_code);
  add_report_command(app, exit_code);
  add_decode_command(app, exit_code);
  add_proxy_command(app, exit_code);
  add_observe_command(app, exit_code);
  add_export_command(app, exit_code);
  add_clauses_command(app, exit_code);
  add_mutants_command(app, exit_code);
  add_audit_command(app, exit_code);
  add_schema_command(app, exit_code);
  add_man_command(app, exit_code);
  add_completion_command(app, exit_code);
}

int parse_and_run(Command& app, const int& exit_code, std::vector<std::string> arguments) {
  if (completes_words(arguments)) {
    print_candidates(app, arguments);
    return 0;
  }
  const auto not_run = app.run(std::move(arguments));
  if (!not_run) return exit_code;
  if (!not_run->asked) {
    fmt::print(stderr, "{}\n", not_run->text);
    return static_cast<int>(ExitCode::usage);
  }
  fmt::print("{}", not_run->text);
  return 0;
}

int run(int argc, const char* const* argv) {
  // A thousand idle connections are a case of certify, and ten thousand a load.
  loadgen::raise_descriptor_limit();
  int exit_code = 0;
  Command app("Certifies rate-limiter servers: golden vectors, conformance and load", "hallmark");
  add_commands(app, exit_code);
  const int code = parse_and_run(app, exit_code, {argv + 1, argv + argc});
  // A full disk behind a redirected stdout shows only now.
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return code;
  fmt::print(stderr, "hallmark: cannot write to standard output\n");
  return static_cast<int>(ExitCode::unreachable_or_harness_error);
}

}  // namespace
}  // namespace hallmark::cli

int main(int argc, char** argv) {
  try {
    return hallmark::cli::run(argc, argv);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "hallmark: %s\n", hallmark::base::printable(error.what()).c_str());
  } catch (...) {
    std::fputs("hallmark: stopped by an unknown error\n", stderr);
  }
  return static_cast<int>(hallmark::reports::ExitCode::unreachable_or_harness_error);
}
