#pragma once

#include <string>

namespace hallmark::cli {

/// The directory of the golden vectors if no option names one: in the source tree that the program
/// was built from or, if that is gone, in `../share/hallmark/vectors` seen from the program.
std::string default_vectors_directory();

}  // namespace hallmark::cli
