#pragma once
#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

#include "base/error.hpp"

namespace hallmark::base {

inline constexpr std::size_t mebibyte = std::size_t{1} << 20;

/// Reads all of a file of at most `most_bytes`, also from a pipe or a device. `what` says what the
/// file should be, with its article: "a results file".
/// Error: one line that names the file; it cannot be read, is a directory or is larger than that.
Result<std::string> read_file(const std::filesystem::path& path, std::size_t most_bytes,
                              std::string_view what);

/// "cannot read PATH: No such file or directory; expected a results file"; `reason` is an errno.
Error unreadable(const std::filesystem::path& path, int reason, std::string_view what);

/// "PATH is larger than 16 MiB, the most that a results file may have".
Error too_large(const std::filesystem::path& path, std::size_t most_bytes, std::string_view what);

}  // namespace hallmark::base
