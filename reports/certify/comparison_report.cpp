#include <fmt/format.h>

#include <algorithm>

#include "base/text.hpp"
#include "reports/certify/comparison.hpp"
#include "reports/certify/run_heading.hpp"
#include "reports/terminal_report.hpp"

namespace hallmark::reports {
namespace {

constexpr std::size_t shown_rows = 24;
constexpr std::size_t most_listed = 20;
constexpr Change in_order[] = {Change::newly_failing,    Change::other_reason,
                               Change::no_longer_played, Change::newly_passing,
                               Change::appeared,         Change::disappeared};

std::string line_of(const ChangedCase& one, const TerminalStyle& style) {
  const auto verdict = [](const std::optional<Verdict>& which) {
    return which ? name_of(*which) : std::string_view("no case");
  };
  std::string text = fmt::format("{}  {} -> {}", one.id, verdict(one.before), verdict(one.now));
  if (!one.reason.empty()) text += "  " + one.reason;
  text = wrapped(text, style, 2, 4);
  if (one.change == Change::other_reason && one.reason_before != one.reason)
    text += wrapped("before: " + one.reason_before, style, 4, 4);
  return text;
}

Colour colour_of(Change change) {
  if (change == Change::newly_failing) return Colour::red;
  return change == Change::newly_passing ? Colour::green : Colour::yellow;
}

std::string list(const Comparison& comparison, Change change, const TerminalStyle& style) {
  std::string text;
  std::size_t number = 0;
  for (const ChangedCase& one : comparison.cases) {
    if (one.change == change && ++number <= most_listed) text += line_of(one, style);
  }
  if (number == 0) return {};
  if (number > most_listed)
    text += fmt::format("  … and {} more\n", base::grouped(number - most_listed));
  return fmt::format(
      "{}\n{}\n",
      paint(style, colour_of(change), fmt::format("{} {}", base::grouped(number), name_of(change))),
      text);
}

std::string detail(const Comparison& comparison, const CertifyResult& now,
                   const TerminalStyle& style) {
  std::string text;
  std::size_t shown = 0;
  for (const ChangedCase& one : comparison.cases) {
    if (!is_regression(one) || ++shown > style.max_failures) continue;
    const auto found = std::ranges::find(now.cases, one.id, &CaseResult::id);
    text += render_case(*found, style, shown_rows) + '\n';
  }
  return text;
}

std::string stamp(ExitCode code, const TerminalStyle& style) {
  switch (code) {
    case ExitCode::as_expected: return paint(style, Colour::green, "NO REGRESSION");
    case ExitCode::failures: return paint(style, Colour::red, "REGRESSED");
    case ExitCode::indeterminate: return paint(style, Colour::yellow, "INDETERMINATE");
    default: return paint(style, Colour::red, "ERROR");
  }
}

}  // namespace

std::string render_comparison(const Comparison& comparison, const CertifyResult& now,
                              std::string_view baseline, const TerminalStyle& style) {
  std::string text = heading_of("certify", now.header, now.suite, style);
  text += wrapped(fmt::format("compared with {}", baseline), style, 0, 2) + '\n';
  text += detail(comparison, now, style);
  for (const Change change : in_order) text += list(comparison, change, style);
  std::string counts;
  for (const Change change : in_order) {
    if (comparison.of(change) > 0)
      counts += fmt::format("{} {}, ", base::grouped(comparison.of(change)), name_of(change));
  }
  text += fmt::format("{}  {}{} as before", stamp(exit_code(comparison, now), style), counts,
                      base::grouped(comparison.unchanged));
  if (now.interrupted) text += ", interrupted before the end";
  if (!now.run_error.empty()) text += ": " + base::printable(now.run_error);
  return text + '\n';
}

}  // namespace hallmark::reports
