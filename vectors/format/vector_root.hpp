#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "base/error.hpp"

namespace hallmark::vectors {

/// The root of the vector files: a directory, or the program itself, which carries the golden
/// vectors. Paths are relative to it, such as "throttr-7.1/insert.json".
class VectorRoot {
 public:
  /// An empty path: the program itself.
  explicit VectorRoot(std::filesystem::path directory) : directory_(std::move(directory)) {}

  bool is_program() const { return directory_.empty(); }

  /// The .json files in a folder, not in those below it, in alphabetical order. Errors: one line;
  /// the folder cannot be read, or holds none.
  base::Result<std::vector<std::string>> files_in(const std::string& folder) const;
  /// True if there is such a folder.
  bool has(const std::string& folder) const;
  /// The text of a file. Errors: one line; it cannot be read, or is larger than `most_file_bytes`.
  base::Result<std::string> read(const std::string& path) const;
  /// A path as messages name it.
  std::string shown(const std::string& path) const;

 private:
  std::filesystem::path directory_;
};

}  // namespace hallmark::vectors
