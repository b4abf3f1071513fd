#pragma once

#include <string>

#include "reports/result.hpp"

namespace hallmark::reports {

/// Workflow commands of GitHub Actions, a line each: an error for each of the first failures, and
/// one that counts the others (GitHub shows ten of a kind in a step).
std::string render_github_annotations(const CertifyResult& result);

/// Markdown for the summary of a step: the verdict, a row for each operation, the failures with
/// what reproduces them.
std::string render_github_summary(const CertifyResult& result);

}  // namespace hallmark::reports
