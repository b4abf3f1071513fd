#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdio>
#include <exception>
#include <optional>
#include <string>
#include <vector>

#include "base/quantity.hpp"
#include "base/text.hpp"
#include "cli/commands.hpp"
#include "cli/load/load_process.hpp"
#include "cli/options/command_line.hpp"
#include "distributed/session.hpp"
#include "loadgen/client/process.hpp"
#include "mpi/keeper.hpp"
#include "mpi/launcher.hpp"
#include "mpi/mpi_peers.hpp"
#include "mpi/quiet.hpp"

namespace hallmark::mpi {
namespace {

using base::Result;
using cli::Command;
using distributed::Session;
using reports::ExitCode;

constexpr const char* footer =
    "Examples:\n"
    "  mpirun -n 4 hallmark-mpi load tcp://10.0.0.9:9000 --rate 200k --connections 256\n"
    "  mpirun --hostfile hosts hallmark-mpi load tcp://10.0.0.9:9000 --rate 2M --json all.json\n\n"
    "Rank 0 shows and writes the result of all ranks. docs/distributed.md says more.";

std::string host_name() {
  std::array<char, 256> name{};
  gethostname(name.data(), name.size() - 1);
  return base::printable(name.data());
}

/// A rank, and what its command line said.
struct Rank {
  Session& session;
  std::uint32_t number;
  std::string start_slack = "100ms";
  std::string orphan_file = {};  ///< has its share if rank 0 died

  bool is_root() const { return number == 0; }
};

/// `load` as one rank runs it.
cli::LoadProcess load_process(Rank& rank) {
  cli::LoadProcess process;
  process.reports = rank.is_root();
  process.orphan_file = [&rank](const std::string& json) {
    const std::string base = json.empty() ? "hallmark-load.json" : json;
    return rank.orphan_file = fmt::format("{}.rank{}", base, rank.number);
  };
  process.alone = false;
  process.run = [&](const loadgen::LoadOptions& options,
                    const loadgen::LoadOutputs& outputs) -> Result<reports::LoadResult> {
    const auto slack = base::parse_duration(rank.start_slack);
    if (!slack) return base::Error{"--start-slack: " + slack.error().message};
    return rank.session.run(options, outputs, *slack);
  };
  process.add_options = [&](Command& command) {
    command
        .add_option("--start-slack", rank.start_slack,
                    "So far may the clocks of the ranks be apart, and so far may their starts be")
        ->capture_default_str();
  };
  return process;
}

/// Runs the command line; returns the exit code that this rank would have by itself.
int run_command(Rank& rank, const std::vector<std::string>& arguments) {
  int exit_code = 0;
  Command app("Load from many machines at once, joined by MPI", "hallmark-mpi");
  app.require_subcommand(1);
  app.set_version_flag("--version", "hallmark-mpi " HALLMARK_VERSION, "Print the version");
  app.footer(footer);
  add_load_command(app, exit_code, load_process(rank));
  const auto not_run = app.run(arguments);
  if (!not_run) return static_cast<int>(rank.session.refused().value_or(ExitCode{exit_code}));
  fmt::print(not_run->asked ? stdout : stderr, "{}\n", not_run->text);
  return not_run->asked ? 0 : static_cast<int>(ExitCode::usage);
}

/// A complaint without `hallmark load: `, which whoever passes it on says, too.
std::string without_command(const std::string& complaint) {
  const auto colon = complaint.find(": ");
  return colon == std::string::npos ? complaint : complaint.substr(colon + 2);
}

/// Returns the exit code that rank 0 says.
int follow(Rank& rank, const std::vector<std::string>& arguments) {
  {
    const Quiet quiet;
    run_command(rank, arguments);
    rank.session.refuse(without_command(quiet.text()));
  }
  const int code = rank.session.leave(0);
  if (rank.session.orphaned())
    fmt::print(stderr, "hallmark-mpi: rank 0 died; rank {} left its share in {}\n", rank.number,
               rank.orphan_file);
  return code;
}

/// Rank 0 speaks for all. Returns the exit code of all.
int take_part(Rank rank, const std::vector<std::string>& arguments) {
  if (!rank.is_root()) return follow(rank, arguments);
  return rank.session.leave(run_command(rank, arguments));
}

int run(int argc, char** argv) {
  MpiPeers peers(argc, argv);
  loadgen::raise_descriptor_limit();
  // The launcher may be gone when rank 0 prints; files are written all the same.
  std::signal(SIGPIPE, SIG_IGN);
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  Session session(peers, distributed::Clock::of_machine(), {host_name(), arguments},
                  loadgen::run_load);
  const int code = take_part({session, peers.rank()}, arguments);
  std::fflush(stdout);
  if (session.all_left()) peers.finalize();
  return code;
}

}  // namespace
}  // namespace hallmark::mpi

int main(int argc, char** argv) {
  try {
    hallmark::mpi::print_as_the_launcher_does();
    if (const auto code = hallmark::mpi::keep(argc, argv)) return *code;
    return hallmark::mpi::run(argc, argv);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "hallmark-mpi: %s\n", hallmark::base::printable(error.what()).c_str());
  } catch (...) {
    std::fputs("hallmark-mpi: stopped by an unknown error\n", stderr);
  }
  return static_cast<int>(hallmark::reports::ExitCode::unreachable_or_harness_error);
}
