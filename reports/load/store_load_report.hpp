#pragma once
#include <string>

#include "reports/load/store_load.hpp"
#include "reports/terminal.hpp"

namespace hallmark::reports {

/// The part of a load report that only a store has: what was decided, and what the oracle found.
/// Ends with an empty line.
std::string render_terminal(const StoreLoad& load, const TerminalStyle& style);

/// One line: what was shown to be wrong; empty when nothing was.
std::string what_was_proven(const StoreLoad& load);

}  // namespace hallmark::reports
