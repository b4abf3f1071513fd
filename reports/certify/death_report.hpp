#pragma once

#include "reports/result.hpp"
#include "reports/terminal.hpp"

namespace hallmark::reports {

/// Tells how a target died, why as far as known, what it wrote, and what it was sent last over each
/// connection. `rows` limits the bytes that are shown of each message.
std::string render_death(const Death& death, const TerminalStyle& style, std::size_t rows);

/// One line: "killed by signal 11 (Segmentation fault), 0.40 s after it was started: …".
std::string death_in_one_line(const Death& death);

}  // namespace hallmark::reports
