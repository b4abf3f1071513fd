#pragma once

#include <span>
#include <string>

#include "reports/result.hpp"
#include "reports/terminal.hpp"

/// Several runs of certify, such as one for each width, as one summary.
namespace hallmark::reports {

/// All runs as one, which whatever renders one run can render: its cases are theirs, in their
/// order, its header names what they certified ("throttr-7.3 u8 u16"), and its exit code is their
/// worst. A run that certified nothing becomes part of `run_error`. Precondition: there is one at
/// least; a single one stays as it is.
CertifyResult joined(std::span<const CertifyResult> results);

/// A row for each run, the failures of all, a summary by operation, and one verdict as the last
/// line.
std::string render_terminal(std::span<const CertifyResult> results, const TerminalStyle& style);

/// Markdown for the summary of a step of GitHub Actions: all runs as one, and a row for each.
std::string render_github_summary(std::span<const CertifyResult> results);

}  // namespace hallmark::reports
