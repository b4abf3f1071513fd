#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <exception>
#include <string>
#include <string_view>
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

struct Known {
  std::string_view name;
  void (*add)(Command& app, int& exit_code);
};

constexpr std::array known{
    Known{"serve", add_serve_command},
    Known{"certify", add_certify_command},
    Known{"certify-client", add_certify_client_command},
    Known{"verify", add_verify_command},
    Known{"identify", add_identify_command},
    Known{"load", add_load_command},
    Known{"vectors", add_vectors_command},
    Known{"readings", add_readings_command},
    Known{"report", add_report_command},
    Known{"decode", add_decode_command},
    Known{"proxy", add_proxy_command},
    Known{"observe", add_observe_command},
    Known{"export", add_export_command},
    Known{"clauses", add_clauses_command},
    Known{"mutants", add_mutants_command},
    Known{"audit", add_audit_command},
    Known{"schema", add_schema_command},
};

/// `first`: the first word of the command line. To add all commands takes a quarter of the time
/// that the program takes to start: where it names one, it adds this one alone.
void add_commands(Command& app, int& exit_code, std::string_view first) {
  app.require_subcommand(1);
  app.set_version_flag("--version", "hallmark " HALLMARK_VERSION, "Print the version");
  app.footer(footer);
  if (const auto* const named = std::ranges::find(known, first, &Known::name); named != known.end())
    return named->add(app, exit_code);
  for (const Known& one : known) one.add(app, exit_code);
  // These look at all of them.
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
  add_commands(app, exit_code, argc > 1 ? argv[1] : "");
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
