#include "reports/load_result.hpp"

namespace hallmark::reports {

ExitCode exit_code(const LoadResult& result) {
  const bool balanced =
      result.counts.balanced() && (!result.datagram || result.datagram->accounting_error.empty());
  if (!result.run_error.empty() || result.counts.completed == 0 || !balanced) {
    return ExitCode::unreachable_or_harness_error;
  }
  if (result.counts.failed > 0 || result.counts.timed_out > 0) return ExitCode::failures;
  if (result.datagram && proven_wrong(*result.datagram)) return ExitCode::failures;
  if (result.store && proven_wrong(*result.store)) return ExitCode::failures;
  if (!result.inconclusive.empty() || result.interrupted) return ExitCode::indeterminate;
  return ExitCode::as_expected;
}

std::string_view name_of(LoopKind kind) { return kind == LoopKind::open ? "open" : "closed"; }

}  // namespace hallmark::reports
