#include "reports/certify/run_verdict.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/text.hpp"

namespace hallmark::reports {

std::string missing_in_words(const CertifyResult& result) {
  return base::printable(fmt::format("{}", fmt::join(result.missing_operations, ", ")));
}

std::string exceptions_in_words(const CertifyResult& result) {
  const auto is_spared = [](const CaseResult& one) {
    return one.verdict == Verdict::skipped && one.reason == spared;
  };
  std::vector<std::string> exceptions = result.missing_operations;
  const auto cases = std::ranges::count_if(result.cases, is_spared);
  if (cases > 0) {
    exceptions.push_back(base::counted(static_cast<std::size_t>(cases), "case", "cases") +
                         " (--polite)");
  }
  return base::printable(fmt::format("{}", fmt::join(exceptions, ", ")));
}

std::string run_verdict(const CertifyResult& result) {
  const std::string exceptions = exceptions_in_words(result);
  switch (exit_code(result)) {
    case ExitCode::as_expected:
      return exceptions.empty() ? "CERTIFIED" : "CERTIFIED WITHOUT " + exceptions;
    case ExitCode::failures: return "FAILED";
    case ExitCode::indeterminate: return "INDETERMINATE";
    default: break;
  }
  const bool vacuous = result.run_error.empty() && count_verdicts(result).error == 0;
  return vacuous ? "NOTHING CERTIFIED" : "ERROR";
}

std::vector<std::string> unsupported_operations(const CertifyResult& result) {
  std::vector<std::string> operations;
  for (const CaseResult& one : result.cases) {
    const bool known = std::ranges::find(operations, one.operation) != operations.end();
    if (one.verdict == Verdict::unsupported && !known) operations.push_back(one.operation);
  }
  return operations;
}

std::string sole_cause(const CertifyResult& result) {
  const VerdictCounts counts = count_verdicts(result);
  if (counts.pass != 0 || counts.fail != 1) return {};
  return std::ranges::find(result.cases, Verdict::fail, &CaseResult::verdict)->likely_cause;
}

std::string subject_of(const RunHeader& header) {
  return header.width.empty() ? header.dialect : fmt::format("{} {}", header.dialect, header.width);
}

}  // namespace hallmark::reports
