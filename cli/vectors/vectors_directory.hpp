#pragma once

#include <string>

namespace hallmark::cli {

/// Where the golden vectors stand when nobody says otherwise: in the source tree that the program
/// was built from or, where that is gone, in `../share/hallmark/vectors` seen from the program.
std::string default_vectors_directory();

}  // namespace hallmark::cli
