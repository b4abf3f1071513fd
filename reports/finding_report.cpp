#include "reports/finding_report.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/quantity.hpp"
#include "base/text.hpp"

namespace hallmark::reports {
namespace {

std::string explains(const CertifyFinding& finding) {
  return "explains " + base::counted(finding.cases.size(), "case", "cases");
}

Colour colour_of(Severity severity) {
  return severity == Severity::critical || severity == Severity::high ? Colour::red
                                                                      : Colour::yellow;
}

std::string render(const CertifyFinding& finding, const TerminalStyle& style) {
  constexpr std::size_t indent = 10;
  const auto line = [&](const std::string& text) {
    return std::string(indent, ' ') +
           base::shorten(base::printable(text), style.width - std::min(style.width, indent)) + '\n';
  };
  return fmt::format("{}{}{}  {}\n",
                     paint(style, colour_of(finding.severity), name_of(finding.severity)),
                     std::string(indent - name_of(finding.severity).size(), ' '),
                     paint(style, Colour::bold, finding.id), explains(finding)) +
         line(finding.sentence) +
         line(fmt::format("{}; shown by {}", fmt::join(finding.clauses, ", "), finding.shown_by));
}

}  // namespace

std::string render_findings(const CertifyResult& result, const TerminalStyle& style,
                            std::size_t most) {
  if (result.findings.empty() || most == 0) return {};
  std::string text = fmt::format("{}, the most serious first\n\n",
                                 base::counted(result.findings.size(), "finding", "findings"));
  const std::size_t shown = std::min(most, result.findings.size());
  for (std::size_t i = 0; i < shown; ++i) text += render(result.findings[i], style) + '\n';
  if (shown < result.findings.size())
    text += fmt::format("… and {} more\n\n",
                        base::counted(result.findings.size() - shown, "finding", "findings"));
  return text;
}

std::string finding_in_one_line(const CertifyFinding& finding) {
  return fmt::format("{} {}: {}; {}", name_of(finding.severity), finding.id, finding.sentence,
                     explains(finding));
}

}  // namespace hallmark::reports
