#pragma once

#include <string>

namespace hallmark::cli {

/// The directory of the golden vectors if no option names one. Empty: the program's own, which it
/// carries inside. A program in its build tree has those of the source tree instead, so that what
/// `vectors generate` writes counts at once; the file `source-tree` beside the program names it.
std::string default_vectors_directory();

/// A directory of vectors in messages: its path or, for an empty one, "the program".
std::string shown_vectors_directory(const std::string& directory);

}  // namespace hallmark::cli
