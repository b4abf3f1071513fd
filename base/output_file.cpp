#include "base/output_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <utility>

#include "base/output_path.hpp"

namespace hallmark::base {
namespace {

namespace fs = std::filesystem;

constexpr mode_t of_owner_only = 0600;
constexpr mode_t permissions = 07777;

/// A name that no other file has: what a process that was killed left may have the same number.
Descriptor make_temporary(const fs::path& directory, mode_t mode, std::string& name) {
  static std::atomic<unsigned> count{0};
  while (true) {
    name = directory / fmt::format(".hallmark-{}-{}.tmp", ::getpid(), count++);
    Descriptor file(::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode));
    if (file.open() || errno != EEXIST) return file;
  }
}

/// The rename itself has to reach the disk; a file system that cannot sync directories is no error.
void sync_directory(const fs::path& directory) {
  const Descriptor handle(::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (handle.open()) ::fsync(handle.get());
}

}  // namespace

Result<OutputFile> OutputFile::create(const fs::path& path) {
  auto found = find_output(path);
  if (!found) return found.error();
  if (!found->file.empty()) return create_beside(path, std::move(found->file));
  auto opened = open_output(path, *found, 0);
  if (!opened) return opened.error();
  return OutputFile(std::move(*opened), path);
}

Result<OutputFile> OutputFile::create_beside(const fs::path& path, fs::path goal) {
  // The content of a file that others may not read is not shown to them meanwhile.
  struct stat existing {};
  const bool exists = ::lstat(goal.c_str(), &existing) == 0;
  std::string temporary;
  Descriptor opened =
      make_temporary(goal.parent_path(), exists ? of_owner_only : mode_of_new_files, temporary);
  if (!opened.open()) return unwritable(path, errno);
  OutputFile file(std::move(opened), path);
  file.goal_ = std::move(goal);
  file.temporary_ = std::move(temporary);
  return file;
}

OutputFile::OutputFile(OutputFile&& other) noexcept
    : file_(std::move(other.file_)),
      path_(std::move(other.path_)),
      goal_(std::move(other.goal_)),
      temporary_(std::exchange(other.temporary_, {})) {}

OutputFile::~OutputFile() {
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

Result<void> OutputFile::write(std::string_view content) {
  if (const int reason = write_all(file_, content); reason != 0) return unwritable(path_, reason);
  return {};
}

Result<void> OutputFile::take_over_mode() {
  struct stat existing {};
  if (::lstat(goal_.c_str(), &existing) != 0) return {};
  if (!S_ISREG(existing.st_mode)) {
    return Error{fmt::format("cannot write {}: it became something else than a file meanwhile",
                             path_.string())};
  }
  // Only root may give a file away; where that fails it is ours, as every new file.
  [[maybe_unused]] const int given = ::fchown(file_.get(), existing.st_uid, existing.st_gid);
  if (::fchmod(file_.get(), existing.st_mode & permissions) != 0) return unwritable(path_, errno);
  return {};
}

Result<void> OutputFile::commit() {
  if (goal_.empty()) {
    if (::close(file_.release()) != 0) return unwritable(path_, errno);
    return {};
  }
  if (auto same = take_over_mode(); !same) return same;
  if (::fsync(file_.get()) != 0 || ::close(file_.release()) != 0 ||
      ::rename(temporary_.c_str(), goal_.c_str()) != 0) {
    return unwritable(path_, errno);
  }
  temporary_.clear();
  sync_directory(goal_.parent_path());
  return {};
}

Result<void> write_file(const fs::path& path, std::string_view content) {
  auto file = OutputFile::create(path);
  if (!file) return file.error();
  if (auto written = file->write(content); !written) return written;
  return file->commit();
}

}  // namespace hallmark::base
