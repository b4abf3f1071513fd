#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "base/read_file.hpp"
#include "vectors/format/vector.hpp"

/// Vector files: those of one operation under one profile, at all widths together.
namespace hallmark::vectors {

using base::Error;
using base::Result;

/// The format that is written and read.
inline constexpr std::size_t file_format = 3;

/// Stands in an id for the width.
inline constexpr std::string_view width_placeholder = "{width}";

/// The most that a vector file may have.
inline constexpr std::size_t most_file_bytes = 64 * base::mebibyte;

/// The vectors of one operation under one profile as JSON; values that all widths share stand once.
/// Equal files give equal text, with a newline at the end. Precondition: there is one at least, all
/// are of the same dialect, profile, answers and operation, each of another width.
std::string write_json(const std::vector<VectorFile>& widths);
/// The same at one width.
std::string write_json(const VectorFile& file);

/// Reads a file, width by width, or of one width alone: the list is empty if it has no vectors of
/// that width. Errors: one line with the place in the JSON, what stood there and what was expected.
Result<std::vector<VectorFile>> read_json(std::string_view text,
                                          std::optional<protocol::Width> only = {});

/// Reads one file. Errors as `read_json`, with the path in front.
Result<std::vector<VectorFile>> load_file(const std::string& path,
                                          std::optional<protocol::Width> only = {});

/// The folder of a dialect and profile below the directory of all vectors: `DIALECT` or
/// `DIALECT/literal`.
std::string folder_of(std::string_view dialect, protocol::Profile profile);

/// The path of a file below that directory: `throttr-7.1/insert.json` or
/// `throttr-7.1/literal/insert.json`.
std::string path_of(const VectorFile& file);

/// Reads the vectors of a dialect and width below a directory, or those that the program carries if
/// `directory` is empty, of both profiles: those of the
/// deployed one and then, where there are any, of the literal one, in order of the names of their
/// files. Errors: a directory or a file cannot be read or is invalid, or there is no
/// vector of that width.
Result<std::vector<VectorFile>> load_directory(const std::string& directory,
                                               std::string_view dialect, protocol::Width width);

}  // namespace hallmark::vectors
