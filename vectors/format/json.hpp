#pragma once

#include <string>

#include "base/error.hpp"
#include "base/read_file.hpp"
#include "vectors/format/vector.hpp"

namespace hallmark::vectors {

using base::Error;
using base::Result;

/// The most that a vector file may have.
inline constexpr std::size_t most_file_bytes = 64 * base::mebibyte;

/// The file as JSON, with a newline at the end; equal files give equal text.
std::string write_json(const VectorFile& file);

/// Errors: one line with the place in the JSON, what stood there and what was expected.
Result<VectorFile> read_json(std::string_view text);

/// Reads one file. Errors as `read_json`, with the path in front.
Result<VectorFile> load_file(const std::string& path);

/// Where below the directory of all vectors those of a dialect, profile and width are:
/// `DIALECT/WIDTH` or `DIALECT/literal/WIDTH`, without the width where the dialect has none.
std::string folder_of(std::string_view dialect, protocol::Profile profile, protocol::Width width);

/// Reads all vector files of a dialect and width below a directory, of both profiles: those of
/// the deployed one and then, where there are any, of the literal one, in order of their names.
/// Errors: a directory or a file cannot be read or is invalid, or there is no file.
Result<std::vector<VectorFile>> load_directory(const std::string& directory,
                                               std::string_view dialect, protocol::Width width);

}  // namespace hallmark::vectors
