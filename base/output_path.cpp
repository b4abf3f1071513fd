#include "base/output_path.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>

#include "base/number.hpp"

namespace hallmark::base {
namespace {

namespace fs = std::filesystem;

/// The number of symbolic links that the kernel follows.
constexpr int most_links = 40;

/// The directory of the descriptors of this process, which /dev/fd and /dev/stdout lead to.
bool is_of_descriptors(const fs::path& directory) {
  std::error_code failed;
  const fs::path of_this_process = fs::canonical("/proc/self/fd", failed);
  return !failed && fs::canonical(directory, failed) == of_this_process;
}

/// `goal` is no symbolic link, and may not exist yet; its directory does.
Result<OutputPath> regular_file(const fs::path& path, const fs::path& goal) {
  if (!goal.has_filename()) return unwritable(path, EISDIR);
  std::error_code error;
  const fs::path directory = fs::canonical(goal.parent_path(), error);
  if (error) return unwritable(path, error.value());
  return OutputPath{directory / goal.filename(), -1};
}

}  // namespace

Error unwritable(const fs::path& path, int reason) {
  return {fmt::format("cannot write {}: {}", path.string(),
                      reason == EINTR ? "stopped by a signal before its reader had taken all of it"
                                      : errno_text(reason))};
}

Result<OutputPath> find_output(const fs::path& path) {
  std::error_code error;
  fs::path goal = fs::absolute(path, error);
  for (int links = 0; links < most_links; ++links) {
    if (is_of_descriptors(goal.parent_path()))
      return OutputPath{{}, number_in<std::int32_t>(goal.filename().string()).value_or(-1)};
    struct stat status {};
    if (::lstat(goal.c_str(), &status) != 0) {
      if (errno != ENOENT) return unwritable(path, errno);
      return regular_file(path, goal);
    }
    if (S_ISDIR(status.st_mode)) return unwritable(path, EISDIR);
    if (S_ISREG(status.st_mode)) return regular_file(path, goal);
    if (!S_ISLNK(status.st_mode)) return OutputPath{};
    const fs::path next = fs::read_symlink(goal, error);
    if (error) return unwritable(path, error.value());
    goal = goal.parent_path() / next;
  }
  return unwritable(path, ELOOP);
}

Result<Descriptor> open_output(const fs::path& path, const OutputPath& found, int flags) {
  if (found.descriptor >= 0) {
    // Text that was printed earlier has to come first.
    if (found.descriptor == STDOUT_FILENO) std::fflush(stdout);
    Descriptor copy(::fcntl(found.descriptor, F_DUPFD_CLOEXEC, 0));
    if (!copy.open()) return unwritable(path, errno);
    return copy;
  }
  const int for_files = found.file.empty() ? 0 : flags;
  Descriptor file(::open(path.c_str(), O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC | for_files,
                         mode_of_new_files));
  if (file.open()) return file;
  const int reason = errno;
  std::error_code ignored;
  if (reason != ENXIO || !fs::is_fifo(path, ignored)) return unwritable(path, reason);
  return Error{fmt::format("cannot write {}: nobody reads this pipe; start its reader first",
                           path.string())};
}

}  // namespace hallmark::base
