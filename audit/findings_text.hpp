#pragma once
#include <string>

#include "audit/result.hpp"
#include "reports/terminal.hpp"

namespace hallmark::audit {

/// The findings by kind, then the first of each kind, marked in what it is about: as many as the
/// last screen of a terminal shows. Empty if there are none.
std::string findings_text(const AuditResult& audit, const reports::TerminalStyle& style);

}  // namespace hallmark::audit
