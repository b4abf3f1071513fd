#pragma once
#include <filesystem>
#include <string>
#include <string_view>

#include "base/descriptor.hpp"

namespace hallmark::base {

/// A file that appears whole or not at all. A regular file is written beside its path, synced and
/// then renamed, so that nothing is seen of it until `commit`; it keeps its mode and its owner, and
/// a new one has mode 0666 less the umask. A symbolic link stays one: the file that it names is
/// replaced. A device, a pipe and /dev/stdout are never replaced: these are written into at once.
class OutputFile {
 public:
  /// Error, as for all of these: one line that names the path. There is a directory, a pipe that
  /// nobody reads, or the path cannot be written.
  static Result<OutputFile> create(const std::filesystem::path& path);

  OutputFile(OutputFile&& other) noexcept;
  OutputFile& operator=(OutputFile&&) = delete;
  ~OutputFile();  ///< leaves the path as it was, unless committed

  /// False if what is there, such as a device, is written into at once.
  bool replaces() const { return !goal_.empty(); }

  Result<void> write(std::string_view content);
  /// Is called once, and last. Error: also if something else than a regular file is there by now.
  Result<void> commit();

 private:
  OutputFile(Descriptor file, std::filesystem::path path)
      : file_(std::move(file)), path_(std::move(path)) {}
  static Result<OutputFile> create_beside(const std::filesystem::path& path,
                                          std::filesystem::path goal);
  Result<void> take_over_mode();

  Descriptor file_;
  std::filesystem::path path_;  ///< as it was given
  std::filesystem::path goal_;  ///< the file that is replaced; empty: written into at once
  std::string temporary_;       ///< empty: there is none
};

/// All of a file at once.
Result<void> write_file(const std::filesystem::path& path, std::string_view content);

}  // namespace hallmark::base
