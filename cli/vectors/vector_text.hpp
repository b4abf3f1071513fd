#pragma once

#include <string>

#include "reports/terminal.hpp"
#include "vectors/format/vector.hpp"

namespace hallmark::cli {

/// One vector for people: what it is for, then each step with its bytes, the field that each byte
/// belongs to and what a server may answer. `file` is the one that holds the vector and must be of
/// `dialect`.
std::string describe(const vectors::Vector& vector, const vectors::VectorFile& file,
                     const protocol::Dialect& dialect, const reports::TerminalStyle& style);

}  // namespace hallmark::cli
