#include "clients/judge/result.hpp"

#include <algorithm>

namespace hallmark::clients {

using reports::ExitCode;

std::string_view name_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::passed: return "passed";
    case Verdict::fails: return "fails";
    case Verdict::not_judged: return "not judged";
    case Verdict::not_met: return "not met";
    case Verdict::not_played: return "not played";
    case Verdict::error: return "error";
  }
  return "";
}

std::string_view name_of(Demand demand) {
  switch (demand) {
    case Demand::passes: return "passes";
    case Demand::ends: return "ends";
    case Demand::notices: return "notices";
  }
  return "";
}

std::string_view name_of(ClauseVerdict verdict) {
  switch (verdict) {
    case ClauseVerdict::kept: return "kept";
    case ClauseVerdict::broken: return "broken";
    case ClauseVerdict::not_met: return "not met";
  }
  return "";
}

VerdictCounts counts_of(const ClientResult& result) {
  const auto with = [&](Verdict verdict) {
    return static_cast<std::size_t>(
        std::ranges::count(result.perturbations, verdict, &PerturbationResult::verdict));
  };
  return {with(Verdict::passed),  with(Verdict::fails),      with(Verdict::not_judged),
          with(Verdict::not_met), with(Verdict::not_played), with(Verdict::error)};
}

std::size_t broken_musts(const ClientResult& result) {
  return static_cast<std::size_t>(std::ranges::count_if(result.clauses, [](const auto& clause) {
    return clause.verdict == ClauseVerdict::broken && clause.level == protocol::Level::must;
  }));
}

ExitCode exit_code_of(const ClientResult& result) {
  const VerdictCounts counts = counts_of(result);
  if (counts.fails > 0 || broken_musts(result) > 0) return ExitCode::failures;
  if (result.interrupted) return ExitCode::indeterminate;
  if (!result.baseline.passed || counts.error > 0) return ExitCode::unreachable_or_harness_error;
  if (counts.passed == 0 || counts.not_played > 0) return ExitCode::indeterminate;
  return ExitCode::as_expected;
}

std::string_view verdict_word(const ClientResult& result) {
  switch (exit_code_of(result)) {
    case ExitCode::as_expected: return "PASSED";
    case ExitCode::failures: return "FAILED";
    case ExitCode::indeterminate: return "INDETERMINATE";
    case ExitCode::usage:
    case ExitCode::unreachable_or_harness_error: return "ERROR";
  }
  return "";
}

}  // namespace hallmark::clients
