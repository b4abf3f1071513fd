#pragma once
#include <filesystem>
#include <string_view>

#include "reports/error.hpp"

namespace hallmark::reports {

/// Writes `content` to `path` whole or not at all: a temporary file in the same directory, synced,
/// then renamed over `path`. On an error an existing file is untouched and nothing is left behind;
/// the message names the path and the reason. A `path` that is not a regular file (/dev/stdout, a
/// pipe) is written in place.
Result<void> write_file_atomically(const std::filesystem::path& path, std::string_view content);

}  // namespace hallmark::reports
