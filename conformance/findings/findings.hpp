#pragma once

#include "reports/result.hpp"

namespace hallmark::conformance {

/// Groups what failed in a run by cause, the most serious first. A cause is what failing cases have
/// in common and passing ones have not: what was wrong with a message, the operation, the clauses,
/// or the ability that a group of cases is about. The fewest causes that account for all failures
/// are taken, one after the other, each that which explains the most of what is left. Known
/// failures are nobody's finding. The same cases with the same codes give the same findings.
std::vector<reports::CertifyFinding> findings_of(const reports::CertifyResult& result);

}  // namespace hallmark::conformance
