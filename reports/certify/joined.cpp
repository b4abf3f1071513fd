#include "reports/certify/joined.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>

#include "base/text.hpp"
#include "reports/certify/run_verdict.hpp"
#include "reports/github_report.hpp"
#include "reports/terminal_report.hpp"

namespace hallmark::reports {
namespace {

using Results = std::span<const CertifyResult>;

void add_once(std::vector<std::string>& all, const std::string& one) {
  if (std::ranges::find(all, one) == all.end()) all.push_back(one);
}

/// "throttr-7.1 u8 u16, throttr-7.3 u16": a dialect is named once, with its widths.
std::string subjects_of(Results results) {
  std::vector<std::string> dialects;
  for (const CertifyResult& one : results) add_once(dialects, one.header.dialect);
  std::string text;
  for (const std::string& dialect : dialects) {
    std::vector<std::string> words{dialect};
    for (const CertifyResult& one : results) {
      if (one.header.dialect == dialect && !one.header.width.empty())
        add_once(words, one.header.width);
    }
    text += (text.empty() ? "" : ", ") + fmt::format("{}", fmt::join(words, " "));
  }
  return text;
}

/// The value that all of them have; otherwise none.
template <class Value, class Project>
Value common(Results results, const Project& project) {
  const Value& first = std::invoke(project, results.front());
  const bool same = std::ranges::all_of(
      results, [&](const CertifyResult& one) { return std::invoke(project, one) == first; });
  return same ? first : Value();
}

RunHeader header_of(Results results) {
  RunHeader header;
  const RunHeader& first = results.front().header;
  header.tool = first.tool;
  header.version = first.version;
  header.dialect = subjects_of(results);
  header.started = first.started;
  const auto of_header = [](auto RunHeader::*member) {
    return [member](const CertifyResult& one) -> const auto& { return one.header.*member; };
  };
  header.profile = common<std::string>(results, of_header(&RunHeader::profile));
  header.target = common<std::string>(results, of_header(&RunHeader::target));
  header.options = common<std::vector<Option>>(results, of_header(&RunHeader::options));
  for (const CertifyResult& one : results) {
    header.started = std::min(header.started, one.header.started);
    header.duration += one.header.duration;
  }
  header.notes = {base::counted(results.size(), "result", "results") + " as one"};
  return header;
}

/// One line on what went wrong with the run as a whole; empty if nothing did. A run without a
/// verdict would be hidden by the passed cases of another.
std::string problem_of(const CertifyResult& result) {
  if (!result.run_error.empty()) return result.run_error;
  const bool vacuous = exit_code(result) == ExitCode::unreachable_or_harness_error &&
                       count_verdicts(result).error == 0;
  return vacuous ? "no case passed" : std::string();
}

/// "throttr-7.1 u16"
std::string format_of(const RunHeader& header) {
  return header.width.empty() ? header.dialect : header.dialect + ' ' + header.width;
}

/// Adds what another run says of the same finding. The shorter script is shown.
void merge(CertifyFinding& into, const CertifyFinding& other) {
  if (!other.script.empty() && (into.script.empty() || other.script.size() < into.script.size())) {
    into.script = other.script;
    into.shown_by = other.shown_by;
    into.sentence = other.sentence;
  }
  into.severity = std::min(into.severity, other.severity);
  for (const std::string& clause : other.clauses) add_once(into.clauses, clause);
  into.cases.insert(into.cases.end(), other.cases.begin(), other.cases.end());
  into.repeated += other.repeated;
}

/// A finding of several runs is one, with the dialects and widths that have it.
void add_findings(std::vector<CertifyFinding>& all, const CertifyResult& result) {
  for (const CertifyFinding& one : result.findings) {
    auto same = std::ranges::find(all, one.id, &CertifyFinding::id);
    if (same == all.end()) {
      same = all.insert(all.end(), one);
    } else {
      merge(*same, one);
    }
    add_once(same->seen_in, format_of(result.header));
  }
}

void append(CertifyResult& all, const CertifyResult& one) {
  add_findings(all.findings, one);
  all.cases.insert(all.cases.end(), one.cases.begin(), one.cases.end());
  all.deaths.insert(all.deaths.end(), one.deaths.begin(), one.deaths.end());
  for (const std::string& operation : one.missing_operations)
    add_once(all.missing_operations, operation);
  all.interrupted = all.interrupted || one.interrupted;
  if (const std::string problem = problem_of(one); !problem.empty()) {
    all.run_error +=
        fmt::format("{}{}: {}", all.run_error.empty() ? "" : "; ", subject_of(one.header), problem);
  }
}

Colour colour_of(const CertifyResult& result) {
  switch (exit_code(result)) {
    case ExitCode::as_expected:
      return exceptions_in_words(result).empty() ? Colour::green : Colour::yellow;
    case ExitCode::indeterminate: return Colour::yellow;
    default: return Colour::red;
  }
}

constexpr const char* columns[] = {"result", "target", "cases", "pass", "fail", "other", "verdict"};

std::vector<std::string> cells_of(const CertifyResult& result) {
  const VerdictCounts counts = count_verdicts(result);
  const auto number = [](std::size_t count) { return count == 0 ? "·" : base::grouped(count); };
  return {base::printable(subject_of(result.header)),
          base::printable(result.header.target),
          number(counts.total()),
          number(counts.pass),
          number(counts.fail),
          number(counts.total() - counts.pass - counts.fail),
          run_verdict(result)};
}

std::string table_of(Results results, const TerminalStyle& style) {
  Table table({Align::left, Align::left, Align::right, Align::right, Align::right, Align::right,
               Align::left});
  table.add({std::begin(columns), std::end(columns)}, style, Colour::bold);
  for (const CertifyResult& one : results) table.add(cells_of(one), style, colour_of(one));
  return table.render();
}

std::string markdown_row(std::vector<std::string> cells) {
  for (std::string& cell : cells) {
    for (std::size_t at = 0; (at = cell.find('|', at)) != std::string::npos; at += 2)
      cell.insert(at, "\\");
  }
  return fmt::format("| {} |\n", fmt::join(cells, " | "));
}

}  // namespace

CertifyResult joined(Results results) {
  if (results.size() == 1) return results.front();
  CertifyResult all;
  all.header = header_of(results);
  all.suite = common<std::string>(results, &CertifyResult::suite);
  for (const CertifyResult& one : results) append(all, one);
  std::ranges::stable_sort(all.findings, {}, &CertifyFinding::severity);
  return all;
}

std::string render_terminal(Results results, const TerminalStyle& style) {
  if (results.size() == 1) return render_terminal(results.front(), style);
  const std::string table = table_of(results, style) + '\n';
  const auto lines = static_cast<std::size_t>(std::ranges::count(table, '\n'));
  TerminalStyle below = style;
  if (style.height > lines) below.height = style.height - lines;
  return table + render_terminal(joined(results), below);
}

std::string render_github_summary(Results results) {
  if (results.size() == 1) return render_github_summary(results.front());
  std::string text = render_github_summary(joined(results)) + '\n';
  text +=
      markdown_row({std::begin(columns), std::end(columns)}) + "|---|---|---|---|---|---|---|\n";
  for (const CertifyResult& one : results) text += markdown_row(cells_of(one));
  return text;
}

}  // namespace hallmark::reports
