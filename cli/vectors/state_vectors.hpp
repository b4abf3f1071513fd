#pragma once

#include "reports/terminal.hpp"
#include "vectors/format/state_vector.hpp"

namespace hallmark::cli {

/// True if vectors of states are about that operation: decode, encode or decide.
bool is_state_operation(std::string_view name);

/// One vector for people: what it is for, then each request and what its answer has to hold.
std::string describe(const vectors::StateVector& vector, const reports::TerminalStyle& style);

}  // namespace hallmark::cli
