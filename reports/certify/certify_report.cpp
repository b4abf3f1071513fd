#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>

#include "base/quantity.hpp"
#include "base/text.hpp"
#include "reports/certify/death_report.hpp"
#include "reports/certify/finding_report.hpp"
#include "reports/certify/run_heading.hpp"
#include "reports/certify/run_verdict.hpp"
#include "reports/terminal_report.hpp"

namespace hallmark::reports {
namespace {

constexpr std::size_t roomy_dump_rows = 24;
constexpr std::size_t tightest_dump_rows = 4;
constexpr std::size_t roomy_listing = 5;

/// The number of items or rows of each part that are shown.
struct Limits {
  std::size_t detailed;    ///< failures with their bytes
  std::size_t dump_rows;   ///< of each of them
  std::size_t listed;      ///< other problems, a line each
  std::size_t operations;  ///< rows of the summary
  std::size_t deaths;      ///< of the target, with what it was sent last
  std::size_t findings;    ///< three lines each
};

using Cases = std::vector<const CaseResult*>;

/// The case that shows each finding first, then failures, errors, and what could not be decided.
Cases problems(const CertifyResult& result) {
  Cases cases;
  std::set<std::string> shown;
  for (const CertifyFinding& finding : result.findings) {
    const auto found = std::ranges::find(result.cases, finding.shown_by, &CaseResult::id);
    if (found != result.cases.end() && shown.insert(found->id).second) cases.push_back(&*found);
  }
  for (const auto verdict :
       {Verdict::fail, Verdict::unstable, Verdict::error, Verdict::indeterminate}) {
    for (const auto& one : result.cases) {
      if (one.verdict == verdict && !shown.contains(one.id)) cases.push_back(&one);
    }
  }
  return cases;
}

std::string detail(const Cases& cases, const TerminalStyle& style, const Limits& limits) {
  std::string text;
  for (std::size_t i = 0; i < std::min(limits.detailed, cases.size()); ++i) {
    text += render_case(*cases[i], style, limits.dump_rows) + '\n';
  }
  return text;
}

/// The first deaths in full where there is room, the others a line each.
std::string tell_deaths(const CertifyResult& result, const TerminalStyle& style,
                        const Limits& limits) {
  std::string text;
  for (std::size_t i = 0; i < std::min(limits.deaths, result.deaths.size()); ++i)
    text += render_death(result.deaths[i], style, limits.dump_rows) + '\n';
  const auto rest = result.deaths.size() - std::min(limits.deaths, result.deaths.size());
  if (rest > 0 && limits.deaths > 0)
    text += fmt::format("… and died {} more\n\n", base::counted(rest, "time", "times"));
  return text;
}

std::string list_rest(const Cases& cases, const TerminalStyle& style, const Limits& limits) {
  const auto begin = std::min(limits.detailed, cases.size());
  const auto end = std::min(begin + limits.listed, cases.size());
  if (begin == cases.size()) return {};
  std::string text;
  for (std::size_t i = begin; i < end; ++i) {
    text += wrapped(
        fmt::format("{}  {}  {}", name_of(cases[i]->verdict), cases[i]->id, cases[i]->reason),
        style, 0, 6);
  }
  if (end < cases.size()) {
    text += fmt::format("… and {} more not as expected\n", base::grouped(cases.size() - end));
  }
  return text + '\n';
}

/// Lists the failures that the list of known failures names, a line each.
std::string list_known(const CertifyResult& result, const TerminalStyle& style,
                       const Limits& limits) {
  // The last line counts them if room is short.
  if (limits.listed < roomy_listing) return {};
  std::string text;
  std::size_t number = 0;
  for (const auto& one : result.cases) {
    if (one.verdict != Verdict::known || ++number > limits.listed) continue;
    text +=
        wrapped(fmt::format("{}  {}  {}  {}", name_of(one.verdict), one.id, one.known, one.reason),
                style, 0, 6);
  }
  if (number > limits.listed)
    text += fmt::format("… and {} more known\n", base::grouped(number - limits.listed));
  return text.empty() ? text : text + '\n';
}

/// Lists the rules of the target that were not tested, each with its reason below it.
std::string list_untested_rules(const CertifyResult& result, const TerminalStyle& style,
                                const Limits& limits) {
  const std::size_t all = result.untested_rules.size();
  std::string text;
  for (std::size_t i = 0; i < std::min(limits.listed, all); ++i) {
    const UntestedRule& one = result.untested_rules[i];
    text += wrapped(fmt::format("not tested: {}line {}, {}",
                                one.part == "limit" ? "the limit of " : "", one.line, one.rule),
                    style, 0, 6) +
            wrapped(one.reason, style, 6);
  }
  if (all > limits.listed)
    text += fmt::format("… and {} not tested\n",
                        base::counted(all - limits.listed, "more rule", "more rules"));
  return text.empty() ? text : text + '\n';
}

/// Columns that are nothing but zeros say nothing; passes and failures always do.
std::vector<Verdict> summary_columns(const VerdictCounts& counts) {
  std::vector<Verdict> columns;
  for (const auto verdict : all_verdicts) {
    const bool always = verdict == Verdict::pass || verdict == Verdict::fail;
    if (always || counts.of(verdict) > 0) columns.push_back(verdict);
  }
  return columns;
}

std::vector<std::string> summary_cells(std::string name, const VerdictCounts& counts,
                                       const std::vector<Verdict>& columns) {
  std::vector<std::string> cells = {std::move(name), base::grouped(counts.total())};
  for (const auto verdict : columns) {
    const auto count = counts.of(verdict);
    cells.push_back(count == 0 ? "·" : base::grouped(count));
  }
  return cells;
}

Colour summary_colour(const VerdictCounts& counts) {
  if (counts.fail + counts.unstable + counts.error > 0) return Colour::red;
  return counts.indeterminate > 0 ? Colour::yellow : Colour::green;
}

/// Shows operations with problems first if not all fit; the rest share a row.
std::string summary(const CertifyResult& result, const TerminalStyle& style, std::size_t limit) {
  auto rows = summarise_operations(result);
  if (rows.empty() || limit == 0) return {};
  if (rows.size() > limit) {
    std::stable_partition(rows.begin(), rows.end(), [](const OperationSummary& row) {
      return summary_colour(row.counts) != Colour::green;
    });
    OperationSummary others{base::counted(rows.size() - limit + 1, "other", "others"), {}};
    for (std::size_t i = limit - 1; i < rows.size(); ++i) others.counts += rows[i].counts;
    rows.resize(limit - 1);
    rows.push_back(others);
  }
  const auto columns = summary_columns(count_verdicts(result));
  std::vector<Align> alignment(columns.size() + 2, Align::right);
  alignment[0] = Align::left;
  Table table(alignment);
  std::vector<std::string> heading = {"operation", "cases"};
  for (const auto verdict : columns) heading.emplace_back(name_of(verdict));
  table.add(heading, style, Colour::bold);
  for (const auto& row : rows) {
    table.add(summary_cells(base::printable(row.operation), row.counts, columns), style,
              summary_colour(row.counts));
  }
  return table.render() + '\n';
}

std::string counts_text(const VerdictCounts& counts) {
  std::string text;
  for (const auto verdict : all_verdicts) {
    if (counts.of(verdict) == 0) continue;
    const auto name = verdict == Verdict::pass    ? std::string_view("passed")
                      : verdict == Verdict::fail  ? std::string_view("failed")
                      : verdict == Verdict::known ? std::string_view("failed as known")
                                                  : name_of(verdict);
    text +=
        fmt::format("{}{} {}", text.empty() ? "" : ", ", base::grouped(counts.of(verdict)), name);
  }
  return text.empty() ? "no case was run" : text;
}

Colour verdict_colour(const CertifyResult& result) {
  switch (exit_code(result)) {
    case ExitCode::as_expected:
      return exceptions_in_words(result).empty() ? Colour::green : Colour::yellow;
    case ExitCode::indeterminate: return Colour::yellow;
    default: return Colour::red;
  }
}

std::string verdict_line(const CertifyResult& result, const TerminalStyle& style) {
  auto text = fmt::format("{}  {} in {}", paint(style, verdict_colour(result), run_verdict(result)),
                          counts_text(count_verdicts(result)),
                          base::human_duration(result.header.duration));
  const bool certified = exit_code(result) == ExitCode::as_expected;
  if (!certified && !result.missing_operations.empty())
    text += fmt::format(", the target lacks {}", missing_in_words(result));
  if (result.interrupted) text += ", interrupted before the end";
  if (const std::string cause = sole_cause(result); !cause.empty())
    text += ": " + base::printable(cause);
  if (!result.run_error.empty()) text += ": " + base::printable(result.run_error);
  return text + '\n';
}

/// "process: 14.2 MB, 9 descriptors, 3 threads, 1.1 s of CPU"
std::string process_line(const CertifyResult& result, const TerminalStyle& style) {
  if (!result.process) return {};
  const ProcessUse& use = *result.process;
  const std::string text =
      fmt::format("process: {}, {}, {}, {} of CPU", base::human_bytes(use.memory),
                  base::counted(use.descriptors, "descriptor", "descriptors"),
                  base::counted(use.threads, "thread", "threads"), base::human_duration(use.cpu));
  return wrapped(text, style, 0, 2);
}

std::string compose(const CertifyResult& result, const TerminalStyle& style, const Limits& limits) {
  const auto cases = problems(result);
  return heading_of("certify", result.header, result.suite, style) + '\n' +
         render_findings(result, style, limits.findings) + detail(cases, style, limits) +
         tell_deaths(result, style, limits) + list_rest(cases, style, limits) +
         list_known(result, style, limits) + list_untested_rules(result, style, limits) +
         summary(result, style, limits.operations) + process_line(result, style) +
         verdict_line(result, style);
}

std::size_t lines_in(const std::string& text) {
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

}  // namespace

std::string render_terminal(const CertifyResult& result, const TerminalStyle& style) {
  constexpr std::size_t every = 1000;
  if (style.height == 0) {
    return compose(result, style,
                   {style.max_failures, roomy_dump_rows, 20, every, style.max_failures, every});
  }
  // The prompt that follows takes a line too.
  const auto room = style.height - 1;
  for (const std::size_t operations : {every, style.height / 5, std::size_t{3}, std::size_t{0}}) {
    const auto listed = std::clamp<std::size_t>(operations, 1, 5);
    for (auto rows = roomy_dump_rows; rows >= tightest_dump_rows; rows -= 4) {
      auto text = compose(result, style,
                          {1, rows, listed, operations, rows > tightest_dump_rows ? 1U : 0U,
                           std::clamp<std::size_t>(operations, 1, 8)});
      if (lines_in(text) <= room) return text;
    }
  }
  return compose(result, style, {1, tightest_dump_rows, 0, 0, 0, 0});
}

}  // namespace hallmark::reports
