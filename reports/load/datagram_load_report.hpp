#pragma once
#include <string>

#include "reports/load/datagram_load.hpp"
#include "reports/terminal.hpp"

namespace hallmark::reports {

/// The part of a load report that only datagrams have: where the ids ended, what the limits and the
/// target's own counts came to. Ends with an empty line.
std::string render_terminal(const DatagramLoad& load, const TerminalStyle& style);

/// One line: what the target was shown to be wrong about; empty when nothing was shown.
std::string what_was_proven(const DatagramLoad& load);

}  // namespace hallmark::reports
