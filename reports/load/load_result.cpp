#include "reports/load/load_result.hpp"

#include <algorithm>

namespace hallmark::reports {

namespace {

bool any(const LoadResult& result, Met met) {
  return std::ranges::find(result.objectives, met, &ObjectiveOutcome::met) !=
         result.objectives.end();
}

/// Unless an objective says how many may.
bool no_request_may_fail(const LoadResult& result) {
  return std::ranges::find(result.objectives, "errors", &ObjectiveOutcome::metric) ==
         result.objectives.end();
}

}  // namespace

ExitCode exit_code(const LoadResult& result) {
  const bool balanced =
      result.counts.balanced() && (!result.datagram || result.datagram->accounting_error.empty());
  if (!result.run_error.empty() || !balanced) return ExitCode::unreachable_or_harness_error;
  const bool proven = std::ranges::find(result.objectives, true, &ObjectiveOutcome::proven) !=
                      result.objectives.end();
  if (result.counts.completed == 0)
    return proven ? ExitCode::failures : ExitCode::unreachable_or_harness_error;
  const bool lost = result.counts.failed > 0 || result.counts.timed_out > 0;
  if (lost && no_request_may_fail(result)) return ExitCode::failures;
  if (result.datagram && proven_wrong(*result.datagram)) return ExitCode::failures;
  if (result.store && proven_wrong(*result.store)) return ExitCode::failures;
  if (result.records && proven_wrong(*result.records)) return ExitCode::failures;
  if (proven) return ExitCode::failures;
  if (!result.inconclusive.empty() || result.interrupted || !result.aborted.empty())
    return ExitCode::indeterminate;
  if (any(result, Met::no)) return ExitCode::failures;
  if (any(result, Met::unknown)) return ExitCode::indeterminate;
  return ExitCode::as_expected;
}

std::string_view name_of(LoopKind kind) { return kind == LoopKind::open ? "open" : "closed"; }

}  // namespace hallmark::reports
