#pragma once

#include <map>
#include <string>
#include <vector>

#include "reference/protocol/error.hpp"
#include "vectors/format/vector.hpp"
#include "vectors/generator/scenario.hpp"

namespace hallmark::vectors::generator {

/// The vectors of one dialect and width under one profile, a file an operation. Each has been
/// rehearsed: the reference model gave the replies that the scenario expects.
/// Errors: the model answers otherwise; one line with the vector, the step and the field.
protocol::Result<std::vector<VectorFile>> generate(const protocol::Dialect& dialect,
                                                   protocol::Width width,
                                                   protocol::Profile profile);

/// Where a file stands below the directory of the vectors: `throttr-7.1/u16/insert.json`.
std::string path_of(const VectorFile& file);

/// All vector files of all dialects and widths: path and text.
protocol::Result<std::map<std::string, std::string>> generate_all();

/// What each flag that vectors may carry means.
const std::map<std::string, std::string>& flag_meanings();

}  // namespace hallmark::vectors::generator
