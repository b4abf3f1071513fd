#pragma once

#include "base/error.hpp"
#include "vectors/format/state_vector.hpp"

/// Vectors of states: what is expected is written by hand, what the reference adapter answers is
/// held against it.
namespace hallmark::vectors::generator {

/// All of them, a file for each strategy, each rehearsed under the readings that it names. Error:
/// one line with the vector, the step and what the reference answers otherwise.
base::Result<std::vector<StateVectorFile>> rehearsed_states();

}  // namespace hallmark::vectors::generator
