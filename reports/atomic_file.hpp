#pragma once
#include <filesystem>
#include <string>
#include <string_view>

#include "reports/error.hpp"

namespace hallmark::reports {

/// Writes `content` to `path` whole or not at all: a temporary file in the same directory, synced,
/// then renamed over `path`. On an error an existing file is untouched and nothing is left behind;
/// the message names the path and the reason. A `path` that is not a regular file (/dev/stdout, a
/// pipe) is written in place.
Result<void> write_file_atomically(const std::filesystem::path& path, std::string_view content);

/// The same for what is written piece by piece. Nothing is seen at `path` until `commit`.
class AtomicFile {
 public:
  /// `path` is a regular file, or nothing.
  static Result<AtomicFile> create(const std::filesystem::path& path);

  AtomicFile(AtomicFile&& other) noexcept;
  AtomicFile& operator=(AtomicFile&&) = delete;
  ~AtomicFile();  ///< leaves nothing behind, unless committed

  Result<void> write(std::string_view content);
  /// Called once, and last.
  Result<void> commit();

 private:
  AtomicFile(int file, std::filesystem::path path, std::filesystem::path goal,
             std::string temporary);

  int file_;  ///< -1: closed
  std::filesystem::path path_;
  std::filesystem::path goal_;  ///< what `path_` names
  std::string temporary_;       ///< empty: none is left
};

}  // namespace hallmark::reports
