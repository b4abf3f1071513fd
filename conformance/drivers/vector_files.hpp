#pragma once

#include "conformance/drivers/cases.hpp"

/// The vectors that a run is told to play: those below a directory, or those of one file. Errors:
/// one line; they cannot be read, or are of another dialect.
namespace hallmark::conformance {

/// True if it is one vector file, which is then all that is played.
bool is_one_file(const std::string& path);

/// The vectors of the format's dialect and width.
OrReason<std::vector<vectors::VectorFile>> vector_files(const std::string& path,
                                                        const WireFormat& format);

/// The vectors of states at rest.
OrReason<std::vector<vectors::StateVectorFile>> state_vector_files(const std::string& path);

}  // namespace hallmark::conformance
