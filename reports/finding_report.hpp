#pragma once

#include <string>

#include "reports/result.hpp"
#include "reports/terminal.hpp"

namespace hallmark::reports {

/// The findings of a run, at most so many, the most serious first: three lines each. Empty where
/// there are none.
std::string render_findings(const CertifyResult& result, const TerminalStyle& style,
                            std::size_t most);

/// "critical crash-1a2b3c: …; explains 5 cases"
std::string finding_in_one_line(const CertifyFinding& finding);

}  // namespace hallmark::reports
