#include "reports/atomic_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <string>
#include <system_error>
#include <utility>

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

AtomicFile::AtomicFile(int file, std::filesystem::path path, std::filesystem::path goal,
                       std::string temporary)
    : file_(file),
      path_(std::move(path)),
      goal_(std::move(goal)),
      temporary_(std::move(temporary)) {}

AtomicFile::AtomicFile(AtomicFile&& other) noexcept
    : file_(std::exchange(other.file_, -1)),
      path_(std::move(other.path_)),
      goal_(std::move(other.goal_)),
      temporary_(std::exchange(other.temporary_, {})) {}

AtomicFile::~AtomicFile() {
  if (file_ >= 0) ::close(file_);
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

Result<AtomicFile> AtomicFile::create(const std::filesystem::path& path) {
  auto goal = resolve(path);
  auto temporary = (goal.parent_path() / ("." + goal.filename().string() + ".XXXXXX")).string();
  const int file = ::mkostemp(temporary.data(), O_CLOEXEC);
  if (file < 0) return failure(path, errno);
  return AtomicFile(file, path, std::move(goal), std::move(temporary));
}

Result<void> AtomicFile::write(std::string_view content) {
  if (const int reason = write_all(file_, content); reason != 0) return failure(path_, reason);
  return {};
}

Result<void> AtomicFile::commit() {
  int reason = ::fchmod(file_, mode_for(goal_)) != 0 ? errno : 0;
  if (reason == 0 && ::fsync(file_) != 0) reason = errno;
  reason = close_and_report(std::exchange(file_, -1), reason);
  if (reason == 0 && ::rename(temporary_.c_str(), goal_.c_str()) != 0) reason = errno;
  if (reason != 0) return failure(path_, reason);
  temporary_.clear();
  sync_directory(goal_.parent_path());
  return {};
}

Result<void> write_file_atomically(const std::filesystem::path& path, std::string_view content) {
  if (!replaceable(path)) return write_in_place(path, content);
  auto file = AtomicFile::create(path);
  if (!file) return file.error();
  if (auto written = file->write(content); !written) return written;
  return file->commit();
}

}  // namespace hallmark::reports
