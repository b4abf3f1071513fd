#include "reports/atomic_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <string>
#include <system_error>

namespace hallmark::reports {
namespace {

Error failure(const std::filesystem::path& path, int reason) {
  return {
      fmt::format("cannot write {}: {}", path.string(), std::generic_category().message(reason))};
}

/// 0, or the errno of the first write that failed.
int write_all(int file, std::string_view content) {
  while (!content.empty()) {
    const auto written = ::write(file, content.data(), content.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return errno;
    content.remove_prefix(static_cast<std::size_t>(written));
  }
  return 0;
}

/// mkstemp makes files that only the owner reads; a report is an ordinary file.
mode_t mode_for(const std::filesystem::path& path) {
  struct stat existing {};
  if (::stat(path.c_str(), &existing) == 0) return existing.st_mode & 07777;
  return 0644;
}

int close_and_report(int file, int reason) {
  if (::close(file) != 0 && reason == 0) return errno;
  return reason;
}

int write_synced(int file, std::string_view content, mode_t mode) {
  int reason = write_all(file, content);
  if (reason == 0 && ::fchmod(file, mode) != 0) reason = errno;
  if (reason == 0 && ::fsync(file) != 0) reason = errno;
  return close_and_report(file, reason);
}

/// The rename itself has to reach the disk; a file system that cannot sync directories is no error.
void sync_directory(const std::filesystem::path& directory) {
  const int handle = ::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (handle < 0) return;
  ::fsync(handle);
  ::close(handle);
}

Result<void> write_in_place(const std::filesystem::path& path, std::string_view content) {
  const int file = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
  if (file < 0) return failure(path, errno);
  if (const int reason = close_and_report(file, write_all(file, content)); reason != 0) {
    return failure(path, reason);
  }
  return {};
}

bool replaceable(const std::filesystem::path& path) {
  std::error_code ignored;
  const auto status = std::filesystem::status(path, ignored);
  return !std::filesystem::exists(status) || std::filesystem::is_regular_file(status) ||
         std::filesystem::is_directory(status);
}

/// A symbolic link stays one: what it names is replaced.
std::filesystem::path resolve(const std::filesystem::path& path) {
  std::error_code error;
  auto resolved = std::filesystem::weakly_canonical(path, error);
  return error ? path : resolved;
}

}  // namespace

Result<void> write_file_atomically(const std::filesystem::path& path, std::string_view content) {
  if (!replaceable(path)) return write_in_place(path, content);
  const auto goal = resolve(path);
  auto temporary = (goal.parent_path() / ("." + goal.filename().string() + ".XXXXXX")).string();
  const int file = ::mkostemp(temporary.data(), O_CLOEXEC);
  if (file < 0) return failure(path, errno);
  int reason = write_synced(file, content, mode_for(goal));
  if (reason == 0 && ::rename(temporary.c_str(), goal.c_str()) != 0) reason = errno;
  if (reason != 0) {
    ::unlink(temporary.c_str());
    return failure(path, reason);
  }
  sync_directory(goal.parent_path());
  return {};
}

}  // namespace hallmark::reports
