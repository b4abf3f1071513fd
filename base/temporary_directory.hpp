#pragma once
#include <filesystem>
#include <string_view>

#include "base/error.hpp"

namespace hallmark::base {

/// A directory for files of this process alone; it is removed with all that is in it.
class TemporaryDirectory {
 public:
  /// Makes it where temporary files belong (TMPDIR, or else /tmp), with mode 0700 and a name that
  /// nobody can predict: `prefix`, a hyphen and six random characters. Error: one line.
  static Result<TemporaryDirectory> create(std::string_view prefix);

  TemporaryDirectory(TemporaryDirectory&& other) noexcept;
  TemporaryDirectory& operator=(TemporaryDirectory&&) = delete;
  ~TemporaryDirectory();

  const std::filesystem::path& path() const { return path_; }

 private:
  explicit TemporaryDirectory(std::filesystem::path path) : path_(std::move(path)) {}

  std::filesystem::path path_;  ///< empty: it was moved from
};

}  // namespace hallmark::base
