#pragma once
#include <span>
#include <string>

#include "reports/result.hpp"

namespace hallmark::reports {

/// JUnit XML of one run or of several (one per width, say): one suite per operation, named
/// dialect/width/operation. Indeterminate cases are errors of type "indeterminate", unsupported and
/// skipped ones are skipped with their reason. A run that failed as a whole, or certified nothing,
/// has a suite dialect/width/run with one error, so that no consumer takes silence for success.
std::string render_junit(std::span<const CertifyResult> results);
std::string render_junit(const CertifyResult& result);

}  // namespace hallmark::reports
