#pragma once

#include <string>

#include "base/json.hpp"

namespace hallmark::vectors {

/// A vector file as text for people: a line for each member of the file and of a vector, and for
/// each step. Members that are long and no steps get a line an item. Ends with a newline; equal
/// files give equal text.
std::string in_lines(const base::Json& file);

}  // namespace hallmark::vectors
