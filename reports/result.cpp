#include "reports/result.hpp"

#include <algorithm>
#include <array>

namespace hallmark::reports {
namespace {

int severity(ExitCode code) {
  constexpr std::array order = {ExitCode::as_expected, ExitCode::indeterminate,
                                ExitCode::unreachable_or_harness_error, ExitCode::usage,
                                ExitCode::failures};
  return static_cast<int>(std::find(order.begin(), order.end(), code) - order.begin());
}

std::size_t& counter(VerdictCounts& counts, Verdict verdict) {
  switch (verdict) {
    case Verdict::pass: return counts.pass;
    case Verdict::fail: return counts.fail;
    case Verdict::indeterminate: return counts.indeterminate;
    case Verdict::unsupported: return counts.unsupported;
    case Verdict::error: return counts.error;
    case Verdict::skipped: return counts.skipped;
    case Verdict::known: return counts.known;
    case Verdict::unstable: return counts.unstable;
  }
  return counts.error;
}

}  // namespace

ExitCode worst(ExitCode a, ExitCode b) { return severity(a) < severity(b) ? b : a; }

std::size_t VerdictCounts::of(Verdict verdict) const {
  VerdictCounts copy = *this;
  return counter(copy, verdict);
}

void VerdictCounts::add(Verdict verdict) { ++counter(*this, verdict); }

VerdictCounts& VerdictCounts::operator+=(const VerdictCounts& other) {
  for (const auto verdict : all_verdicts) counter(*this, verdict) += other.of(verdict);
  return *this;
}

VerdictCounts count_verdicts(const CertifyResult& result) {
  VerdictCounts counts;
  for (const auto& one : result.cases) counts.add(one.verdict);
  return counts;
}

std::vector<OperationSummary> summarise_operations(const CertifyResult& result) {
  std::vector<OperationSummary> rows;
  for (const auto& one : result.cases) {
    auto row = std::find_if(rows.begin(), rows.end(), [&](const OperationSummary& candidate) {
      return candidate.operation == one.operation;
    });
    if (row == rows.end()) row = rows.insert(rows.end(), {one.operation, {}});
    row->counts.add(one.verdict);
  }
  return rows;
}

ExitCode exit_code(const CertifyResult& result) {
  const auto counts = count_verdicts(result);
  if (counts.fail > 0 || counts.unstable > 0) return ExitCode::failures;
  if (counts.error > 0 || !result.run_error.empty()) return ExitCode::unreachable_or_harness_error;
  if (counts.indeterminate > 0 || result.interrupted) return ExitCode::indeterminate;
  // Only skipped, unsupported or known cases: nothing was shown to work.
  if (counts.pass == 0) return ExitCode::unreachable_or_harness_error;
  return ExitCode::as_expected;
}

std::string_view name_of(Level level) {
  switch (level) {
    case Level::must: return "MUST";
    case Level::should: return "SHOULD";
    case Level::may: return "MAY";
  }
  return "MUST";
}

std::string_view name_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::pass: return "pass";
    case Verdict::fail: return "fail";
    case Verdict::indeterminate: return "indeterminate";
    case Verdict::unsupported: return "unsupported";
    case Verdict::error: return "error";
    case Verdict::skipped: return "skipped";
    case Verdict::known: return "known";
    case Verdict::unstable: return "unstable";
  }
  return "error";
}

std::string_view name_of(Severity severity) {
  switch (severity) {
    case Severity::critical: return "critical";
    case Severity::high: return "high";
    case Severity::medium: return "medium";
    case Severity::low: return "low";
  }
  return "low";
}

std::string_view name_of(DeathCause cause) {
  switch (cause) {
    case DeathCause::one_case: return "case";
    case DeathCause::by_itself: return "itself";
    case DeathCause::unknown: return "unknown";
  }
  return "unknown";
}

std::string_view name_of(Direction direction) {
  return direction == Direction::sent ? "sent" : "received";
}

}  // namespace hallmark::reports
