#pragma once

#include <string>

#include "reports/result.hpp"

namespace hallmark::reports {

/// The run as TAP version 14 (testanything.org): a line for each case, with what went wrong in a
/// YAML block below it. Unsupported and skipped cases are skipped; what is undecided is not ok. A
/// run that failed as a whole bails out, so that no consumer takes silence for success.
std::string render_tap(const CertifyResult& result);

}  // namespace hallmark::reports
