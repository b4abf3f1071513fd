#include "cli/certify_client/client_report.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

#include "base/hex.hpp"
#include "base/quantity.hpp"
#include "base/text.hpp"

namespace hallmark::cli {
namespace {

using clients::ClauseVerdict;
using clients::ClientResult;
using clients::PerturbationResult;
using clients::Verdict;
using reports::Align;
using reports::Colour;
using reports::TerminalStyle;

constexpr std::size_t indent = 2;

Colour colour_of_client(Verdict verdict) {
  switch (verdict) {
    case Verdict::passed: return Colour::green;
    case Verdict::fails:
    case Verdict::error: return Colour::red;
    case Verdict::not_judged: return Colour::yellow;
    case Verdict::not_met:
    case Verdict::not_played: return Colour::dim;
  }
  return Colour::dim;
}

std::string quoted_command(const std::vector<std::string>& words) {
  return base::printable(fmt::format("{}", fmt::join(words, " ")));
}

std::string client_heading(const ClientResult& result, const TerminalStyle& style) {
  const std::string what =
      fmt::format("{}{}{}", result.dialect, result.width.empty() ? "" : " ", result.width);
  std::string text = fmt::format("{}  {}  {}\n", paint(style, Colour::bold, "certify-client"), what,
                                 quoted_command(result.command));
  const auto& baseline = result.baseline;
  if (baseline.passed) {
    text += fmt::format("baseline  passed in {}: {}, {}\n", base::human_duration(baseline.duration),
                        base::counted(baseline.connections, "connection", "connections"),
                        base::counted(baseline.requests, "request", "requests"));
  } else {
    text += wrapped("baseline  " + baseline.reason, style, 0, 10);
    for (const std::string& line : baseline.output)
      text += wrapped("| " + line, style, indent, indent);
  }
  if (!baseline.left_behind.empty()) {
    text += wrapped(fmt::format("the command left processes behind, which were ended: {}",
                                fmt::join(baseline.left_behind, ", ")),
                    style, indent, indent);
  }
  return text + "\n";
}

/// The worst first: what a cell of the matrix shows where several perturbations share it.
constexpr Verdict by_weight[] = {Verdict::fails,  Verdict::error,      Verdict::not_played,
                                 Verdict::passed, Verdict::not_judged, Verdict::not_met};

std::string_view cell_text(Verdict verdict) {
  switch (verdict) {
    case Verdict::passed: return "ok";
    case Verdict::fails: return "FAILS";
    case Verdict::not_judged: return "?";
    case Verdict::not_met: return "-";
    case Verdict::not_played: return "…";
    case Verdict::error: return "error";
  }
  return "";
}

struct Matrix {
  std::vector<std::string> rows;     ///< operations and pushes
  std::vector<std::string> columns;  ///< kinds
  std::map<std::pair<std::string, std::string>, std::vector<Verdict>> cells;
};

Matrix matrix_of(const ClientResult& result) {
  Matrix matrix;
  const auto add_once = [](std::vector<std::string>& all, const std::string& one) {
    if (std::ranges::find(all, one) == all.end()) all.push_back(one);
  };
  for (const PerturbationResult& one : result.perturbations) {
    if (one.legal || one.subject.empty()) continue;
    add_once(matrix.rows, one.subject);
    add_once(matrix.columns, one.kind);
    matrix.cells[{one.subject, one.kind}].push_back(one.verdict);
  }
  return matrix;
}

std::string cell(const std::vector<Verdict>& verdicts) {
  for (const Verdict verdict : by_weight) {
    if (std::ranges::find(verdicts, verdict) != verdicts.end())
      return std::string(cell_text(verdict));
  }
  return {};
}

std::string render_matrix(const ClientResult& result, const TerminalStyle& style) {
  const Matrix matrix = matrix_of(result);
  if (matrix.rows.empty()) return {};
  reports::Table table(std::vector<Align>(matrix.columns.size() + 1, Align::left));
  std::vector<std::string> heads = {""};
  heads.insert(heads.end(), matrix.columns.begin(), matrix.columns.end());
  table.add(std::move(heads), style, Colour::dim);
  for (const std::string& row : matrix.rows) {
    std::vector<std::string> cells = {row};
    for (const std::string& column : matrix.columns) {
      const auto found = matrix.cells.find({row, column});
      cells.push_back(found == matrix.cells.end() ? std::string() : cell(found->second));
    }
    table.add(std::move(cells));
  }
  return "replies that no server may send; a client has to notice\n" + table.render(indent) +
         "  ok: noticed   FAILS: accepted, or did not end   -: never met   ?: not judged\n\n";
}

std::string render_legal(const ClientResult& result, const TerminalStyle& style, bool all) {
  reports::Table table({Align::left, Align::left, Align::left});
  std::size_t readings = 0;
  bool some = false;
  for (const PerturbationResult& one : result.perturbations) {
    if (!one.legal) continue;
    const bool is_reading = one.kind == "reading";
    const bool is_shown =
        all || !is_reading || one.verdict == Verdict::fails || one.verdict == Verdict::not_judged;
    readings += is_reading && !is_shown ? 1 : 0;
    if (!is_shown) continue;
    some = true;
    table.add({one.id, paint(style, colour_of_client(one.verdict), clients::name_of(one.verdict)),
               one.title});
  }
  if (!some && readings == 0) return {};
  std::string text =
      "legal replies; a client has to bear them\n" + table.render_wrapped(style, indent);
  if (readings > 0)
    text += fmt::format(
        "  and {} that made no difference\n",
        base::counted(readings, "other answer to a reading", "other answers to readings"));
  return text + "\n";
}

std::string hex_line(std::string_view label, const base::Bytes& bytes, const TerminalStyle& style) {
  constexpr std::size_t most = 48;
  const auto shown = base::ByteView(bytes).first(std::min(bytes.size(), most));
  return wrapped(
      fmt::format("{:<9} {}{}", label, bytes.empty() ? "nothing" : base::to_hex(shown, " "),
                  bytes.size() > most ? " …" : ""),
      style, 6, 10);
}

std::string render_failure(const PerturbationResult& one, const TerminalStyle& style) {
  std::string text =
      fmt::format("  {}  {}\n", paint(style, Colour::red, one.id), base::printable(one.title));
  text += wrapped(one.reason, style, 4, 2);
  if (one.differed) {
    if (!one.differed->request.empty()) text += hex_line("request", one.differed->request, style);
    text += hex_line("expected", one.differed->expected, style);
    text += hex_line("sent", one.differed->sent, style);
  }
  constexpr std::size_t most_lines = 4;
  const std::size_t from = one.output.size() - std::min(one.output.size(), most_lines);
  for (std::size_t i = from; i < one.output.size(); ++i)
    text += wrapped("| " + one.output[i], style, 6, 2);
  return text;
}

std::string render_failures(const ClientResult& result, const TerminalStyle& style, bool all) {
  std::string text;
  std::size_t shown = 0;
  std::size_t hidden = 0;
  for (const PerturbationResult& one : result.perturbations) {
    if (one.verdict != Verdict::fails && one.verdict != Verdict::error) continue;
    if (!all && shown == style.max_failures) {
      ++hidden;
      continue;
    }
    ++shown;
    text += render_failure(one, style);
  }
  if (hidden > 0) text += fmt::format("  and {} more; --verbose shows all\n", hidden);
  return text.empty() ? text : "failures\n" + text + "\n";
}

std::string render_rest(const ClientResult& result, const TerminalStyle& style) {
  std::string text;
  for (const PerturbationResult& one : result.perturbations) {
    if (one.verdict != Verdict::not_judged && one.verdict != Verdict::not_met) continue;
    text += wrapped(fmt::format("{}  {}: {}", one.id, clients::name_of(one.verdict), one.reason),
                    style, indent, 4);
  }
  return text.empty() ? text : "not judged, or not met\n" + text + "\n";
}

std::string render_clauses(const ClientResult& result, const TerminalStyle& style) {
  reports::Table table({Align::left, Align::left, Align::left, Align::left});
  std::string reasons;
  for (const auto& clause : result.clauses) {
    const bool is_broken = clause.verdict == ClauseVerdict::broken;
    table.add({clause.id, std::string(protocol::name_of(clause.level)),
               paint(style,
                     is_broken                               ? Colour::red
                     : clause.verdict == ClauseVerdict::kept ? Colour::green
                                                             : Colour::dim,
                     clients::name_of(clause.verdict)),
               clause.text});
    if (is_broken)
      reasons += wrapped(fmt::format("{}: {} ({})", clause.id, clause.reason, clause.shown_by),
                         style, indent, 4);
  }
  if (result.clauses.empty()) return {};
  return "clauses about clients\n" + table.render_wrapped(style, indent) + reasons + "\n";
}

std::string render_coverage(const ClientResult& result, const TerminalStyle& style) {
  std::vector<std::string> met;
  std::vector<std::string> never;
  for (const std::string& operation : result.operations)
    (result.coverage.contains(operation) ? met : never).push_back(operation);
  std::size_t choices = 0;
  for (const auto& [name, one] : result.coverage) choices += one.choices.size();
  std::string text =
      wrapped(fmt::format("coverage  {} of {} operations and pushes, {} of {} listed values",
                          met.size(), result.operations.size(), choices, result.possible.size()),
              style, 0, 10);
  if (!never.empty())
    text += wrapped(fmt::format("never met: {}", fmt::join(never, ", ")), style, indent, 4);
  std::vector<std::string> never_failed;
  for (const auto& [name, one] : result.coverage) {
    if (one.failed == 0 && one.succeeded > 0) never_failed.push_back(name);
  }
  if (!never_failed.empty())
    text += wrapped(fmt::format("never answered by a failure: {}", fmt::join(never_failed, ", ")),
                    style, indent, 4);
  return text + "\n";
}

std::string render_verdict(const ClientResult& result, const TerminalStyle& style) {
  const auto word = clients::verdict_word(result);
  const Colour colour = word == "PASSED"   ? Colour::green
                        : word == "FAILED" ? Colour::red
                                           : Colour::yellow;
  if (!result.baseline.passed && !result.interrupted)
    return fmt::format("{}  the baseline did not pass: nothing was judged\n",
                       paint(style, colour, word));
  const auto counts = clients::counts_of(result);
  std::string text =
      fmt::format("{}  {} passed, {} failed, {} not judged, {} not met", paint(style, colour, word),
                  base::counted(counts.passed, "perturbation", "perturbations"), counts.fails,
                  counts.not_judged, counts.not_met);
  if (counts.error > 0) text += fmt::format(", {} in error", counts.error);
  if (counts.not_played > 0) text += fmt::format(", {} not played", counts.not_played);
  const std::size_t musts = clients::broken_musts(result);
  if (musts > 0) text += fmt::format("; {} broken", base::counted(musts, "MUST", "MUSTs"));
  return text + fmt::format(", in {}\n", base::human_duration(result.duration));
}

}  // namespace

std::string render_perturbation_line(const PerturbationResult& one, const TerminalStyle& style) {
  return fmt::format("{}  {}  {}\n",
                     paint(style, colour_of_client(one.verdict),
                           fmt::format("{:<10}", clients::name_of(one.verdict))),
                     one.id, base::excerpt(one.reason, 160));
}

std::string render_client_terminal(const ClientResult& result, const TerminalStyle& style,
                                   bool all) {
  std::string text = client_heading(result, style);
  if (result.baseline.passed) {
    text += render_legal(result, style, all);
    text += render_matrix(result, style);
    text += render_failures(result, style, all);
    if (all) text += render_rest(result, style);
    text += render_clauses(result, style);
    text += render_coverage(result, style);
  }
  return text + render_verdict(result, style);
}

}  // namespace hallmark::cli
