#pragma once

#include <filesystem>

#include "cli/vectors/vector_files.hpp"

namespace hallmark::cli {

/// Vector files of format 2 as they are in format 3.
struct Converted {
  std::size_t read = 0;     ///< files of format 2
  std::size_t vectors = 0;  ///< in them, at all widths
  VectorTexts texts;        ///< by the path below the directory; of a single file, one alone
};

/// Converts the file, or all files of format 2 below the directory; others are left alone. What is
/// written reads back as what was read. Errors: one line, a file cannot be read or is invalid, or
/// there is none of format 2.
base::Result<Converted> convert_format_2(const std::filesystem::path& old);

}  // namespace hallmark::cli
