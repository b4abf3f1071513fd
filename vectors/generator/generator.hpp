#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "protocol/readings.hpp"
#include "vectors/format/vector.hpp"

namespace hallmark::vectors::generator {

/// The vectors of one width that are written for these readings, each rehearsed: the reference
/// model gave the replies that the scenario expects. On what they depend is not looked into.
/// Errors: the model answers otherwise; one line with the vector, the step and the field.
base::Result<std::vector<Vector>> rehearsed(protocol::Width width,
                                            const protocol::Readings& readings,
                                            protocol::Profile profile);

/// The vectors of one dialect and width, a file an operation and profile: of the deployed profile
/// all, of the literal one those for which the answers differ on which a deployed vector depends.
/// Errors as `rehearsed`.
base::Result<std::vector<VectorFile>> generate(const protocol::Dialect& dialect,
                                               protocol::Width width);

/// All vector files of all dialects, their layouts and their invalid vectors: path below the
/// directory of the vectors, and text.
base::Result<std::map<std::string, std::string>> generate_all();

/// Returns the meaning of each flag that vectors may carry.
const std::map<std::string, std::string>& flag_meanings();

}  // namespace hallmark::vectors::generator
