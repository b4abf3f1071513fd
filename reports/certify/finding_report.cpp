#include "reports/certify/finding_report.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/quantity.hpp"
#include "base/text.hpp"

namespace hallmark::reports {
namespace {

/// True of a target that is a process of ours.
bool is_started_here(const RunHeader& header) {
  return header.target.starts_with("exec:") || header.target.starts_with("pipe:");
}

Colour colour_of(Severity severity) {
  return severity == Severity::critical || severity == Severity::high ? Colour::red
                                                                      : Colour::yellow;
}

std::string render(const CertifyFinding& finding, const RunHeader& header,
                   const TerminalStyle& style) {
  constexpr std::size_t indent = 10;
  const auto line = [&](const std::string& text) { return wrapped(text, style, indent); };
  const std::string told = fmt::format("{}; {}", base::printable(extent_in_words(finding)),
                                       repetitions_in_words(finding.repeated, header));
  const bool fits = indent + base::display_width(finding.id + "  " + told) <= style.width;
  return paint(style, colour_of(finding.severity), name_of(finding.severity)) +
         std::string(indent - name_of(finding.severity).size(), ' ') +
         paint(style, Colour::bold, finding.id) + (fits ? "  " + told + '\n' : '\n' + line(told)) +
         line(finding.sentence) +
         line(fmt::format("{}{}shown by {}", fmt::join(finding.clauses, ", "),
                          finding.clauses.empty() ? "" : "; ", finding.shown_by));
}

}  // namespace

std::string render_findings(const CertifyResult& result, const TerminalStyle& style,
                            std::size_t most) {
  if (result.findings.empty() || most == 0) return {};
  std::string text = fmt::format("{}, the most serious first\n\n",
                                 base::counted(result.findings.size(), "finding", "findings"));
  const std::size_t shown = std::min(most, result.findings.size());
  for (std::size_t i = 0; i < shown; ++i)
    text += render(result.findings[i], result.header, style) + '\n';
  if (shown < result.findings.size())
    text += fmt::format("… and {} more\n\n",
                        base::counted(result.findings.size() - shown, "finding", "findings"));
  return text;
}

std::string repetitions_in_words(const Repetitions& repeated, const RunHeader& header) {
  if (repeated.played > 0)
    return fmt::format("confirmed {} of {} on fresh processes", repeated.failed,
                       base::counted(repeated.played, "time", "times"));
  if (is_started_here(header)) return "not confirmed: it was not played again";
  return "not confirmed: the target is not ours to start";
}

std::string extent_in_words(const CertifyFinding& finding) {
  std::string text = "explains " + base::counted(finding.cases.size(), "case", "cases");
  if (!finding.seen_in.empty()) text += fmt::format(", {}", fmt::join(finding.seen_in, ", "));
  return text;
}

std::string finding_in_one_line(const CertifyFinding& finding, const RunHeader& header) {
  return fmt::format("{} {}: {}; {}; {}", name_of(finding.severity), finding.id, finding.sentence,
                     extent_in_words(finding), repetitions_in_words(finding.repeated, header));
}

std::string finding_in_full(const CertifyFinding& finding, const RunHeader& header) {
  std::vector<std::string> lines{
      fmt::format("severity: {}", name_of(finding.severity)),
      repetitions_in_words(finding.repeated, header),
      fmt::format("clauses: {}", fmt::join(finding.clauses, ", ")),
      fmt::format("shown by {}, which sent", finding.shown_by),
  };
  for (const std::string& request : finding.script) lines.push_back("  " + request);
  lines.push_back(extent_in_words(finding));
  for (const std::string& id : finding.cases) lines.push_back("  " + id);
  std::string text;
  for (const std::string& line : lines) text += base::printable(line) + '\n';
  return text;
}

}  // namespace hallmark::reports
