#pragma once

#include <string>

#include "reports/result.hpp"

namespace hallmark::reports {

/// The reason of cases that a target is spared which others use.
inline constexpr std::string_view spared = "not played: --polite";

/// The verdict on a run, in the words of every report: "CERTIFIED", "CERTIFIED WITHOUT PUBLISH,
/// STAT" where the target lacks operations of the document, "CERTIFIED WITHOUT 305 CASES
/// (--polite)" where it was spared cases, "FAILED", "INDETERMINATE", "NOTHING CERTIFIED" or
/// "ERROR".
std::string run_verdict(const CertifyResult& result);

/// "PUBLISH, STAT, 305 cases (--polite)": all that a certified target was certified without; empty
/// if that is nothing.
std::string exceptions_in_words(const CertifyResult& result);

/// "PUBLISH, STAT": the operations that the target lacks; empty where it lacks none.
std::string missing_in_words(const CertifyResult& result);

/// The operations of the unsupported cases, each once, in the order of the cases.
std::vector<std::string> unsupported_operations(const CertifyResult& result);

/// The likely cause of the only case that failed in a run in which none passed: it explains the run
/// as a whole. Empty for any other run.
std::string sole_cause(const CertifyResult& result);

/// "throttr-7.1 u16", or the dialect alone where it has no widths: the subject of a run.
std::string subject_of(const RunHeader& header);

}  // namespace hallmark::reports
