#include "reports/github_report.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/text.hpp"
#include "reports/certify/death_report.hpp"
#include "reports/certify/finding_report.hpp"
#include "reports/certify/run_verdict.hpp"
#include "reports/terminal_report.hpp"

namespace hallmark::reports {
namespace {

constexpr std::size_t most_annotations = 9;
constexpr std::size_t most_details = 20;

bool is_failure(const CaseResult& one) {
  return one.verdict == Verdict::fail || one.verdict == Verdict::unstable;
}

bool is_problem(const CaseResult& one) {
  return is_failure(one) || one.verdict == Verdict::error || one.verdict == Verdict::indeterminate;
}

std::string escaped(std::string_view text, bool property) {
  std::string safe;
  for (const char c : base::printable(text)) {
    if (c == '%')
      safe += "%25";
    else if (property && c == ':')
      safe += "%3A";
    else if (property && c == ',')
      safe += "%2C";
    else
      safe += c;
  }
  return safe;
}

std::string annotation(const CertifyFinding& one) {
  return fmt::format("::error title={}::{}; {} ({})\n",
                     escaped(fmt::format("{} {}", name_of(one.severity), one.id), true),
                     escaped(one.sentence, false), escaped(extent_in_words(one), false),
                     escaped(fmt::format("{}", fmt::join(one.clauses, ", ")), false));
}

std::string annotation(const CaseResult& one) {
  const std::string_view kind = one.verdict == Verdict::indeterminate ? "warning" : "error";
  return fmt::format("::{} title={}::{} ({})\n", kind, escaped(one.id, true),
                     escaped(one.reason, false),
                     escaped(fmt::format("{}", fmt::join(one.clauses, ", ")), false));
}

/// The first of the lines, and one that counts the others.
std::string first_of(const std::vector<std::string>& lines, std::string_view others) {
  const std::size_t shown = std::min(most_annotations, lines.size());
  std::string text;
  for (std::size_t i = 0; i < shown; ++i) text += lines[i];
  if (shown < lines.size())
    text += fmt::format("::error title=hallmark certify::{} {}\n", lines.size() - shown, others);
  return text;
}

/// A cell of a table.
std::string cell(std::string_view text) {
  std::string safe;
  for (const char c : base::printable(text)) {
    if (c == '|') safe += '\\';
    if (c == '<') {
      safe += "&lt;";
      continue;
    }
    safe += c;
  }
  return safe;
}

/// Makes a text fit for a block of code, which backticks would end.
std::string code(std::string text) {
  std::ranges::replace(text, '`', '\'');
  return text;
}

/// " without PUBLISH, STAT" of a certified run whose target lacks operations; else empty.
std::string without_operations(const CertifyResult& result) {
  const bool certified = exit_code(result) == ExitCode::as_expected;
  const std::string exceptions = exceptions_in_words(result);
  return certified && !exceptions.empty() ? " without " + exceptions : std::string();
}

std::string row(std::string_view name, const VerdictCounts& counts) {
  return fmt::format("| {} | {} | {} | {} | {} |\n", cell(name), counts.total(), counts.pass,
                     counts.fail + counts.unstable + counts.error,
                     counts.indeterminate + counts.unsupported + counts.skipped + counts.known);
}

/// Lists the failures that do not fail the run.
std::string known_failures(const CertifyResult& result) {
  const std::size_t count = count_verdicts(result).known;
  if (count == 0) return {};
  std::string text = fmt::format("\n<details><summary>{}</summary>\n\n",
                                 base::counted(count, "known failure", "known failures"));
  for (const CaseResult& one : result.cases) {
    if (one.verdict == Verdict::known)
      text += fmt::format("- {}: {} ({})\n", cell(one.id), cell(one.reason), cell(one.known));
  }
  return text + "\n</details>\n";
}

std::string findings_table(const CertifyResult& result) {
  if (result.findings.empty()) return {};
  std::string text =
      "| severity | finding | what it is | cases | confirmed |\n|---|---|---|---|---|\n";
  for (const CertifyFinding& one : result.findings) {
    text += fmt::format("| {} | `{}` | {} | {} | {} |\n", name_of(one.severity), one.id,
                        cell(one.sentence), cell(extent_in_words(one)),
                        repetitions_in_words(one.repeated, result.header));
  }
  return text + '\n';
}

}  // namespace

std::string render_github_annotations(const CertifyResult& result) {
  std::vector<std::string> findings;
  for (const CertifyFinding& one : result.findings) findings.push_back(annotation(one));
  std::vector<std::string> cases;
  for (const CaseResult& one : result.cases) {
    const bool is_explained = !findings.empty() && is_failure(one);
    if (is_problem(one) && !is_explained) cases.push_back(annotation(one));
  }
  std::string text = first_of(findings, "more findings") + first_of(cases, "more cases failed");
  if (const std::string without = without_operations(result); !without.empty())
    text += fmt::format("::warning title=hallmark certify::certified{}\n", escaped(without, false));
  if (!result.run_error.empty())
    text += fmt::format("::error title=hallmark certify::{}\n", escaped(result.run_error, false));
  return text;
}

std::string render_github_summary(const CertifyResult& result) {
  const VerdictCounts counts = count_verdicts(result);
  const bool certified = exit_code(result) == ExitCode::as_expected;
  const std::string without = without_operations(result);
  std::string text = fmt::format("### {} {}: {}{}\n\n",
                                 !certified        ? "❌"
                                 : without.empty() ? "✅"
                                                   : "⚠️",
                                 cell(subject_of(result.header)),
                                 certified ? "certified" : "not certified", cell(without));
  if (!result.run_error.empty()) text += fmt::format("{}\n\n", cell(result.run_error));
  text += findings_table(result);
  text += "| operation | cases | pass | fail | other |\n|---|---|---|---|---|\n";
  for (const OperationSummary& one : summarise_operations(result))
    text += row(one.operation, one.counts);
  text += row("all", counts);
  std::size_t shown = 0;
  for (const CaseResult& one : result.cases) {
    if (!is_problem(one)) continue;
    if (++shown > most_details) {
      text += "\nMore cases failed; the report has them all.\n";
      break;
    }
    text += fmt::format("\n<details><summary>{}: {}</summary>\n\n```\n{}```\n</details>\n",
                        cell(one.id), cell(one.reason),
                        code(render_case(one, TerminalStyle{}, dump_rows)));
  }
  for (const Death& death : result.deaths) {
    text += fmt::format(
        "\n<details><summary>the target died: {}</summary>\n\n```\n{}```\n</details>\n",
        cell(death_in_one_line(death)), code(render_death(death, TerminalStyle{}, dump_rows)));
  }
  return text + known_failures(result);
}

}  // namespace hallmark::reports
