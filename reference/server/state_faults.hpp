#pragma once

#include <string>

namespace hallmark::server {

/// A state as the mutant that is switched on writes it; unchanged where none is about that.
std::string spoilt_state(std::string state);

}  // namespace hallmark::server
