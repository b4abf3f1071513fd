#include "reports/tap_report.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/text.hpp"
#include "reports/certify/death_report.hpp"
#include "reports/certify/finding_report.hpp"
#include "reports/certify/run_verdict.hpp"

namespace hallmark::reports {
namespace {

/// `#` would start a directive, and a backslash an escape.
std::string description(std::string_view text) {
  std::string safe;
  for (const char c : base::printable(text)) {
    if (c == '#' || c == '\\') safe += '\\';
    safe += c;
  }
  return safe;
}

/// A YAML scalar in double quotes. What `printable` made has no control characters left.
std::string yaml_text(std::string_view text) {
  std::string safe;
  for (const char c : base::printable(text)) {
    if (c == '"' || c == '\\') safe += '\\';
    safe += c;
  }
  return '"' + safe + '"';
}

bool is_ok(Verdict verdict) {
  return verdict == Verdict::pass || verdict == Verdict::unsupported || verdict == Verdict::skipped;
}

std::string directive(const CaseResult& one) {
  if (one.verdict == Verdict::skipped) return " # SKIP " + description(one.reason);
  if (one.verdict == Verdict::unsupported) return " # SKIP unsupported: " + description(one.reason);
  if (one.verdict == Verdict::known) return " # TODO " + description(one.known);
  return {};
}

std::string diagnosis(const CaseResult& one) {
  std::string yaml = fmt::format("  ---\n  verdict: {}\n  message: {}\n  level: {}\n",
                                 name_of(one.verdict), yaml_text(one.reason), name_of(one.level));
  if (one.code) yaml += fmt::format("  code: {}\n", yaml_text(text_of(*one.code)));
  yaml += fmt::format("  clauses: [{}]\n", fmt::join(one.clauses, ", "));
  if (!one.likely_cause.empty())
    yaml += fmt::format("  likely_cause: {}\n", yaml_text(one.likely_cause));
  if (!one.drawing.empty()) yaml += "  drawing:\n";
  for (const std::string& line : one.drawing) yaml += fmt::format("    - {}\n", yaml_text(line));
  if (!one.reproduction.empty()) yaml += "  reproduction:\n";
  for (const std::string& line : one.reproduction)
    yaml += fmt::format("    - {}\n", yaml_text(line));
  return yaml + "  ...\n";
}

}  // namespace

std::string render_tap(const CertifyResult& result) {
  std::string text = fmt::format("TAP version 14\n1..{}\n", result.cases.size());
  for (const CertifyFinding& finding : result.findings) {
    text += fmt::format("# finding: {}\n",
                        base::printable(finding_in_one_line(finding, result.header)));
  }
  std::size_t number = 0;
  for (const CaseResult& one : result.cases) {
    const bool ok = is_ok(one.verdict);
    text += fmt::format("{} {} - {}{}\n", ok ? "ok" : "not ok", ++number, description(one.id),
                        directive(one));
    if (!ok) text += diagnosis(one);
  }
  for (const Death& death : result.deaths)
    text += fmt::format("# the target died: {}\n", base::printable(death_in_one_line(death)));
  text += fmt::format("# {}\n", run_verdict(result));
  if (!result.run_error.empty())
    text += fmt::format("Bail out! {}\n", base::printable(result.run_error));
  if (result.interrupted) text += "Bail out! interrupted\n";
  return text;
}

}  // namespace hallmark::reports
