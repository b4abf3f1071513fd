#include "reports/load/store_load_report.hpp"

#include <fmt/format.h>

#include "base/text.hpp"
#include "reports/load/latency.hpp"

namespace hallmark::reports {
namespace {

std::string decisions_table(const StoreCounts& counts, const TerminalStyle& style) {
  Table table(std::vector<Align>(6, Align::right));
  table.add({"decisions", "allowed", "denied", "conflicts", "retries", "gave up"}, style,
            Colour::bold);
  table.add({base::grouped(counts.allowed + counts.denied), base::grouped(counts.allowed),
             base::grouped(counts.denied), base::grouped(counts.conflicts),
             base::grouped(counts.retries), base::grouped(counts.gave_up)});
  return table.render() + '\n';
}

std::string finding_lines(const AdmissionFinding& finding, const TerminalStyle& style) {
  return fmt::format("{} of \"{}\" from {} to {}: {} admitted, at most {} allowed\n    {}\n",
                     paint(style, Colour::red, "over-admission"), base::excerpt(finding.key, 60),
                     since_start(finding.from_ns), since_start(finding.to_ns),
                     base::grouped(finding.admitted), base::grouped(finding.allowed),
                     base::printable(finding.reason));
}

std::string admissions_lines(const AdmissionChecks& checks, const TerminalStyle& style) {
  auto text = fmt::format("limits: {} judged, {} beyond a limit\n",
                          base::counted(checks.judged, "admission", "admissions"),
                          base::grouped(checks.exceeded));
  if (checks.not_judged != 0) {
    text +=
        fmt::format("        {} not judged: too many waited\n", base::grouped(checks.not_judged));
  }
  for (const auto& finding : checks.findings) text += finding_lines(finding, style);
  return text + '\n';
}

}  // namespace

std::string render_terminal(const StoreLoad& load, const TerminalStyle& style) {
  return decisions_table(load.counts, style) + admissions_lines(load.admissions, style);
}

std::string what_was_proven(const StoreLoad& load) {
  if (!proven_wrong(load)) return {};
  return fmt::format("{} beyond a limit",
                     base::counted(load.admissions.exceeded, "admission", "admissions"));
}

}  // namespace hallmark::reports
