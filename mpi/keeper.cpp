#include "mpi/keeper.hpp"

#include <fmt/format.h>
#include <signal.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include <cstdio>
#include <string>
#include <vector>

#include "base/child_process.hpp"
#include "base/environment.hpp"
#include "reports/result.hpp"

namespace hallmark::mpi {
namespace {

constexpr const char* mark = "HALLMARK_MPI_KEPT";
/// The others notice within seconds that a rank is gone, and then the launcher ends this keeper.
constexpr timespec until_all_have_ended{60, 0};
constexpr timespec between_looks{0, 20'000'000};

/// Blocks the signals that a keeper waits for.
sigset_t blocked_signals() {
  sigset_t set;
  sigemptyset(&set);
  for (const int signal : {SIGINT, SIGTERM, SIGUSR1, SIGUSR2}) sigaddset(&set, signal);
  pthread_sigmask(SIG_BLOCK, &set, nullptr);
  return set;
}

int exit_code(reports::ExitCode code) { return static_cast<int>(code); }

/// Variables by which a launcher tells its processes who they are: Open MPI, Slurm, MPICH.
std::string own_rank() {
  for (const char* name : {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "SLURM_PROCID", "PMI_RANK"}) {
    if (std::string rank = base::environment_variable(name); !rank.empty()) return rank;
  }
  return "?";
}

}  // namespace

std::optional<int> keep(int argc, char** argv) {
  if (!base::environment_variable(mark).empty()) return std::nullopt;
  setenv(mark, "1", 1);  // NOLINT(concurrency-mt-unsafe): there is one thread
  const sigset_t signals = blocked_signals();
  std::vector<std::string> command{"/proc/self/exe"};
  command.insert(command.end(), argv + 1, argv + argc);
  const auto rank =
      base::ChildProcess::start(command, {.in = 0, .out = 1, .err = 2, .orphan_signal = SIGTERM});
  if (!rank) {
    std::fprintf(stderr, "hallmark-mpi: %s\n", rank.error().message.c_str());
    return exit_code(reports::ExitCode::unreachable_or_harness_error);
  }
  while (!(*rank)->wait(std::chrono::nanoseconds(0))) {
    const int signal = sigtimedwait(&signals, nullptr, &between_looks);
    if (signal > 0) (*rank)->signal(signal == SIGTERM ? SIGTERM : SIGINT);
  }
  if ((*rank)->ending_signal() == 0) return (*rank)->exit_code();
  fmt::print(stderr, "hallmark-mpi: rank {} was {}\n", own_rank(), (*rank)->how_it_ended());
  sigtimedwait(&signals, nullptr, &until_all_have_ended);
  return exit_code(reports::ExitCode::unreachable_or_harness_error);
}

}  // namespace hallmark::mpi
