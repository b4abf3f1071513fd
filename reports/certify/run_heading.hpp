#pragma once
#include <string>
#include <string_view>

#include "reports/result.hpp"
#include "reports/terminal.hpp"

namespace hallmark::reports {

/// Says what ran against what in one line; since when and with which options in a second one; then
/// the readings on as many lines as they need, unless rows are few, and the notes, a line each.
std::string heading_of(std::string_view command, const RunHeader& header, std::string_view suite,
                       const TerminalStyle& style);

}  // namespace hallmark::reports
