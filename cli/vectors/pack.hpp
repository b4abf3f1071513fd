#pragma once

#include <filesystem>
#include <string>

#include "cli/vectors/tar_gz.hpp"

namespace hallmark::cli {

/// The archive that was packed.
struct Packed {
  std::string archive;  ///< its file name
  std::string sha256;   ///< of the archive, in hexadecimal
  std::size_t files = 0;
};

/// Writes below `output` what is released of the directory of the vectors: the archive
/// hallmark-vectors-VERSION.tar.gz with vectors, plain vectors, schemas, layouts, runners and a
/// manifest of their SHA-256, and the folder npm, a package for Node.js with the same files. The
/// same files and version give the same bytes. Errors: a part is missing, `output` is not empty, or
/// a file cannot be read or written.
base::Result<Packed> pack_vectors(const std::filesystem::path& directory,
                                  const std::filesystem::path& output, const std::string& version);

}  // namespace hallmark::cli
