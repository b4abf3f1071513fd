#pragma once
#include <filesystem>
#include <optional>
#include <string>

#include "base/descriptor.hpp"

namespace hallmark::base {

/// The mode of files that are made, less the umask.
inline constexpr unsigned mode_of_new_files = 0666;

/// The file that a path leads to when something is written to it.
struct OutputPath {
  /// The regular file that is made or replaced: absolute, and no symbolic link. Empty: what is
  /// there already, such as a device, a pipe or /dev/stdout, is written into.
  std::filesystem::path file;
  /// The descriptor of this process that the path names, as /dev/stdout and /dev/fd/3 do; -1: none.
  int descriptor = -1;
};

/// Follows symbolic links to their end, also one whose goal does not exist yet.
/// Error: one line that names the path; it is a directory, or its links are a loop.
Result<OutputPath> find_output(const std::filesystem::path& path);

/// Opens what is at the path already to write into it; for a regular file also `flags`, such as
/// O_APPEND, O_TRUNC or O_CREAT. Error: one line that names the path, also for a named pipe that
/// nobody reads, for which open(2) would wait without end.
Result<Descriptor> open_output(const std::filesystem::path& path, const OutputPath& found,
                               int flags);

/// "cannot write PATH: No space left on device"; `reason` is an errno, where EINTR means that a
/// signal ended the wait for a reader.
Error unwritable(const std::filesystem::path& path, int reason);

}  // namespace hallmark::base
