#pragma once
#include <filesystem>
#include <string>
#include <string_view>

#include "base/descriptor.hpp"

namespace hallmark::base {

/// A file that grows while the program runs and may be followed meanwhile, such as a log. What is
/// written reaches it in pieces of 64 KiB, with `flush` and in the end. A device, a pipe and
/// /dev/stdout are written into, as by `OutputFile`.
class LogFile {
 public:
  enum class Start : bool { empty, behind_the_end };

  /// Error, as for all of these: one line that names the path. There is a directory, a pipe that
  /// nobody reads, or the path cannot be written.
  static Result<LogFile> open(const std::filesystem::path& path, Start start);

  LogFile(LogFile&&) noexcept = default;
  LogFile& operator=(LogFile&&) = delete;
  ~LogFile();

  /// The first error is kept, and told by `flush`; nothing more is written after it.
  void write(std::string_view content);
  Result<void> flush();

 private:
  LogFile(Descriptor file, std::filesystem::path path)
      : file_(std::move(file)), path_(std::move(path)) {}

  Descriptor file_;
  std::filesystem::path path_;
  std::string buffer_;
  int reason_ = 0;  ///< errno of the first write that failed
};

}  // namespace hallmark::base
