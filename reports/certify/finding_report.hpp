#pragma once

#include <string>

#include "reports/result.hpp"
#include "reports/terminal.hpp"

namespace hallmark::reports {

/// The findings of a run, at most so many, the most serious first: three lines each. Empty where
/// there are none.
std::string render_findings(const CertifyResult& result, const TerminalStyle& style,
                            std::size_t most);

/// "confirmed 3 of 3 times on fresh processes", or why it is not: "not confirmed: the target is not
/// ours to start". `header` is that of the run.
std::string repetitions_in_words(const Repetitions& repeated, const RunHeader& header);

/// "explains 5 cases, throttr-7.1 u8 u16"
std::string extent_in_words(const CertifyFinding& finding);

/// "critical crash-1a2b3c: …; explains 5 cases; confirmed 5 of 5 times on fresh processes"
std::string finding_in_one_line(const CertifyFinding& finding, const RunHeader& header);

/// Describes a finding for files: severity, confirmation, clauses, script and cases, a line each.
std::string finding_in_full(const CertifyFinding& finding, const RunHeader& header);

}  // namespace hallmark::reports
