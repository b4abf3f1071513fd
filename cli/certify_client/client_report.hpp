#pragma once

#include <string>

#include "clients/judge/result.hpp"
#include "reports/terminal.hpp"

namespace hallmark::cli {

/// Renders the report for a terminal: the baseline, a matrix, failures with their bytes, clauses
/// and coverage. The last line begins with the verdict. `all`: adds what was not judged and what
/// was not met.
std::string render_client_terminal(const clients::ClientResult& result,
                                   const reports::TerminalStyle& style, bool all);

/// One line: "passed  cut/one-by-one  exited with code 0".
std::string render_perturbation_line(const clients::PerturbationResult& one,
                                     const reports::TerminalStyle& style);

/// After reports/schema/certify-client.schema.json.
std::string render_client_json(const clients::ClientResult& result);

/// JUnit XML: a suite for each kind of perturbation, one for the clauses.
std::string render_client_junit(const clients::ClientResult& result);

}  // namespace hallmark::cli
