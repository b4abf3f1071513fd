#pragma once

#include "conformance/engine/suite.hpp"
#include "conformance/supervisor/attendant.hpp"
#include "reports/result.hpp"

/// The part of playing a case that is the same for all transports.
namespace hallmark::conformance {

/// The result of a case that was not played.
reports::CaseResult not_played(const CaseEntry& entry, reports::Verdict verdict,
                               std::string reason);

/// The result of a case that was played and has another verdict, without what it came to.
reports::CaseResult without_outcome(reports::CaseResult one, reports::Verdict verdict);

/// Why a case was cut off that was being played when the run ended.
inline constexpr std::string_view run_is_over = "the run was over";

/// Why cases are not played when the run has taken its time.
inline constexpr std::string_view run_takes_too_long =
    "not played: the target answers so late that the run takes too long";

/// The result of a case whose end says nothing about it.
reports::CaseResult cut_off(const CaseEntry& entry, std::string_view why);

/// Returns true of a case that failed, broke or could not be decided.
bool worth_evidence(reports::Verdict verdict);

/// "throttr-7.1/u16/insert/existing, which sent 01 07 …"
std::string with_last_bytes(const reports::CaseResult& result);

/// A case, and the death of its target, which may be another case's doing.
struct Attended {
  reports::CaseResult result;
  bool died = false;  ///< and the result is not the last word
};

/// Plays a case while the attendant, if there is one, looks after its target. The case is skipped
/// where the target is not started any more.
Attended play_attended(Attendant* attendant, const CaseEntry& entry,
                       const std::function<reports::CaseResult()>& play);

}  // namespace hallmark::conformance
