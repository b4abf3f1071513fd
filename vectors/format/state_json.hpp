#pragma once

#include "vectors/format/json.hpp"
#include "vectors/format/state_vector.hpp"

namespace hallmark::vectors {

/// The file as JSON, with a newline at the end; equal files give equal text.
std::string write_json(const StateVectorFile& file);

/// Errors: one line with the place in the JSON, what stood there and what was expected.
Result<StateVectorFile> read_state_json(std::string_view text);

/// Below the directory of all vectors: `ratelimit-state/STRATEGY.json`.
std::string state_file_path(std::string_view strategy);

/// Reads one file. Errors as `read_state_json`, with the path in front.
Result<StateVectorFile> load_state_file(const std::string& path);

/// Reads the files of all strategies below a directory, in order of their names; an empty path:
/// those that the program carries.
/// Errors: the directory or a file cannot be read or is invalid, or there is no file.
Result<std::vector<StateVectorFile>> load_state_directory(const std::string& directory);

}  // namespace hallmark::vectors
