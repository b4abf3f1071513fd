#pragma once

#include "reports/result.hpp"

namespace hallmark::conformance {

/// Groups what failed in a run by cause (`causes_of`), the most serious first. Known failures are
/// not part of a finding. The same cases with the same codes give the same findings.
std::vector<reports::CertifyFinding> findings_of(const reports::CertifyResult& result);

}  // namespace hallmark::conformance
