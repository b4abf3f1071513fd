#pragma once
#include "reports/certify/identify_result.hpp"
#include "reports/load/load_result.hpp"
#include "reports/result.hpp"

namespace hallmark::reports::samples {

RunHeader header();
CaseResult passed(std::string id, std::string operation);
/// A quota read with the wrong width: fields, expected bytes, cause and reproduction.
CaseResult wrong_width();
/// A finding that this case alone shows.
CertifyFinding finding_of(const CaseResult& one);
/// Every verdict, hostile text, and evidence of every kind.
CertifyResult mixed();
/// Eighteen operations, ten cases each, all passed.
CertifyResult all_passed();
/// `failures` cases with a long difference each, over eighteen operations.
CertifyResult many_failures(std::size_t failures);
CertifyResult unreachable();
/// Certified, and the target lacks two operations.
CertifyResult lacking_operations();
/// A rate limiter's, certified without two of its rules and the limit of a third.
CertifyResult untested_rules();

IdentifyResult identified();
/// Speaks no profile's answers, and one could not be told.
IdentifyResult identified_between_profiles();
/// Answers what would steer a terminal.
IdentifyResult stranger();
/// Its dialect could not be told.
IdentifyResult half_identified();

LoadResult open_loop();
LoadResult explained();
LoadResult closed_loop_with_errors();
/// Has one objective of each kind: met, missed and not known.
LoadResult with_objectives();
/// Over datagrams: losses that hide quantiles, a finding, and counts that disagree.
LoadResult datagrams();
/// On a store: conflicts, and a finding.
LoadResult store();

}  // namespace hallmark::reports::samples
