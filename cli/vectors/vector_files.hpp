#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "base/error.hpp"

namespace hallmark::cli {

/// Generated vector files: path below the directory of the vectors, and text.
using VectorTexts = std::map<std::string, std::string>;

/// The first difference between a file and what would be generated in its place.
struct Difference {
  std::string path;
  std::size_t line = 0;   ///< the first that differs, from 1
  std::string vector_id;  ///< the first that differs; empty where only the rest of the file does
  std::string committed;  ///< that line as it is; empty at the end of the file
  std::string generated;  ///< that line as it would be; empty at the end of the file
};

/// All paths are below the directory of the vectors, in order.
struct Drift {
  std::vector<std::string> missing;
  std::vector<std::string> extra;
  std::vector<Difference> differing;
  bool empty() const { return missing.empty() && extra.empty() && differing.empty(); }
};

/// The .json files below the directories that `generated` names: those of dialects, `layouts` and
/// `invalid`. Nothing else in the directory is ever read: neither captures nor schemas. An empty
/// path: the files that the program carries. Error: something cannot be read.
base::Result<VectorTexts> read_vector_files(const std::filesystem::path& directory,
                                            const VectorTexts& generated);

Drift compare(const VectorTexts& committed, const VectorTexts& generated);

/// Makes a directory, and those that it is in; one that is there is left as it is.
base::Result<void> make_directory(const std::filesystem::path& directory);

/// Writes one file, whole, and makes the directories that it is in.
base::Result<void> write_vector_file(const std::filesystem::path& path, const std::string& text);

/// Writes each file that is not there as generated, whole, and removes those that are no longer
/// generated. Returns how many were written and removed. Error: the first that cannot be.
struct Written {
  std::size_t written = 0;
  std::size_t removed = 0;
};
base::Result<Written> write_vector_files(const std::filesystem::path& directory,
                                         const VectorTexts& generated);

}  // namespace hallmark::cli
