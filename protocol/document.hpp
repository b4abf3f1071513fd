#pragma once

#include <string>

#include "protocol/dialect.hpp"

namespace hallmark::protocol {

/// The dialect as a page of Markdown: messages with their fields, choices, readings and clauses.
/// docs/dialects/ holds what this writes.
std::string document(const Dialect& dialect);

}  // namespace hallmark::protocol
