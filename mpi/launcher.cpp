#include "mpi/launcher.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <string>
#include <system_error>

namespace hallmark::mpi {
namespace {

bool parent_prints_to_terminal() {
  std::error_code unknown;
  const std::string output =
      std::filesystem::read_symlink(fmt::format("/proc/{}/fd/1", getppid()), unknown).string();
  return output.starts_with("/dev/pts/") || output.starts_with("/dev/tty");
}

}  // namespace

void print_as_the_launcher_does() {
  if (::isatty(STDOUT_FILENO) == 1 && !parent_prints_to_terminal())
    ::setenv("TERM", "dumb", 1);  // NOLINT(concurrency-mt-unsafe): there are no threads yet
}

}  // namespace hallmark::mpi
