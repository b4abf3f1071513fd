#pragma once
#include <cstddef>
#include <string>

#include "reports/result.hpp"
#include "reports/terminal.hpp"

namespace hallmark::reports {

/// True if a byte of the exchange is marked wrong or is not what was expected.
bool has_difference(const Exchange& exchange);

/// The bytes of one exchange, a line per field with its name and value. Under each line that is
/// not as expected stands what was expected; bytes that agree are "··" there. At most `rows` lines
/// around the first difference, the rest is counted. A line of JSON without fields is shown as
/// text.
std::string dump_exchange(const Exchange& exchange, const TerminalStyle& style, std::size_t rows,
                          std::size_t indent);

/// The exchange in one line, with as many of its bytes as fit and the number of the others.
std::string brief_exchange(const Exchange& exchange, const TerminalStyle& style,
                           std::size_t indent);

}  // namespace hallmark::reports
