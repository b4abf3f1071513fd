#pragma once

#include <string>

#include "observe/observation.hpp"
#include "reports/terminal.hpp"

namespace hallmark::observe {

/// The one line that says that something wrong was seen for the first time.
std::string render_first(const FindingGroup& group, const reports::TerminalStyle& style);

/// Renders the report for people, at the end.
std::string render_terminal(const Observation& observation, const reports::TerminalStyle& style);

/// JSON after reports/schema/observe.schema.json. `version` is that of the program.
std::string render_json(const Observation& observation, std::string_view version, int exit_code);

}  // namespace hallmark::observe
