#pragma once

#include <map>
#include <string>

#include "base/error.hpp"

namespace hallmark::cli {

/// Files by their path in an archive.
using ArchiveFiles = std::map<std::string, std::string>;

/// A gzip-compressed tar archive (POSIX ustar) of those files, in the order of their paths. Nothing
/// but the files decides its bytes: times and owners are 0. Error: a path of more than 100 bytes.
base::Result<std::string> tar_gz(const ArchiveFiles& files);

}  // namespace hallmark::cli
