#include "audit/verdict.hpp"

#include <algorithm>

namespace hallmark::audit {

using reports::ExitCode;

std::string_view name_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::incomplete: return "INCOMPLETE";
    case Verdict::faulty: return "FAULTY";
    case Verdict::unfinished: return "UNFINISHED";
    case Verdict::empty: return "EMPTY";
    case Verdict::sound: return "SOUND";
  }
  return "";
}

std::uint64_t still_faulty(const RunResult& run) {
  const std::uint64_t repaired = run.migration ? run.migration->repaired : 0;
  return run.audit.faulty - std::min(repaired, run.audit.faulty);
}

std::uint64_t not_migrated(const RunResult& run) {
  if (!run.migration) return 0;
  std::uint64_t count = run.migration->not_done;
  for (const auto& [obstacle, left] : run.audit.left) {
    // One of another strategy than configured is a finding, and need not be old.
    if (obstacle != model::Obstacle::malformed) count += left.count;
  }
  return count;
}

Verdict verdict_on(const RunResult& run) {
  if (run.audit.interrupted || !run.audit.error.empty()) return Verdict::incomplete;
  if (still_faulty(run) > 0) return Verdict::faulty;
  if (not_migrated(run) > 0) return Verdict::unfinished;
  return run.audit.entries == 0 ? Verdict::empty : Verdict::sound;
}

ExitCode exit_code(const RunResult& run) {
  if (!run.audit.error.empty()) return ExitCode::unreachable_or_harness_error;
  if (still_faulty(run) > 0 || not_migrated(run) > 0) return ExitCode::failures;
  return run.audit.interrupted ? ExitCode::indeterminate : ExitCode::as_expected;
}

}  // namespace hallmark::audit
