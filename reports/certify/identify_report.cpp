#include <fmt/format.h>

#include <algorithm>

#include "base/quantity.hpp"
#include "base/text.hpp"
#include "reports/terminal_report.hpp"

namespace hallmark::reports {
namespace {

constexpr std::string_view untold = "could not be told";

std::size_t widest_subject(const IdentifyResult& result) {
  std::size_t widest = 0;
  for (const auto& finding : result.findings) {
    widest = std::max(widest, base::display_width(finding.subject));
  }
  return widest;
}

std::string clue_line(std::string_view label, std::string_view text, const TerminalStyle& style) {
  if (text.empty()) return {};
  constexpr std::size_t indent = 4;
  constexpr std::size_t behind_label = 7;
  return painted_lines(style, Colour::dim, fmt::format("{:<5}  {}", label, text), indent,
                       behind_label);
}

/// An answer and what it rests on; one line where it could not be told.
std::string finding_text(const Finding& finding, std::size_t widest, const TerminalStyle& style) {
  const auto subject = fmt::format("{:<{}}  ", base::printable(finding.subject), widest);
  if (finding.answer.empty()) {
    auto text = std::string(untold);
    if (!finding.clues.empty()) text += ": " + base::printable(finding.clues.back().shows);
    return painted_lines(style, Colour::yellow, subject + text, 0, widest + 2);
  }
  auto text = subject + paint(style, Colour::bold, base::printable(finding.answer)) + '\n';
  for (const auto& [sent, came, shows] : finding.clues) {
    text += clue_line("sent", sent, style) + clue_line("came", came, style) +
            clue_line("shows", shows, style);
  }
  return text;
}

std::string spoken(const RunHeader& header) {
  const auto named = [](std::string_view name, std::string_view otherwise) {
    return name.empty() ? std::string(otherwise) : base::printable(name);
  };
  auto text = fmt::format("{} at {}", named(header.dialect, "unknown dialect"),
                          named(header.width, "unknown width"));
  if (header.dialect.empty()) return text;
  if (!header.profile.empty()) return text + ", profile " + base::printable(header.profile);
  text += ", as in no profile; not as deployed:";
  for (const auto& reading : header.readings) text += " " + base::printable(reading);
  return text;
}

std::string identity(const IdentifyResult& result, const TerminalStyle& style) {
  switch (exit_code(result)) {
    case ExitCode::as_expected: return paint(style, Colour::green, spoken(result.header));
    case ExitCode::failures:
      return fmt::format("{}: {}", paint(style, Colour::red, "no Throttr"),
                         base::printable(result.stranger));
    default: return paint(style, Colour::yellow, spoken(result.header));
  }
}

}  // namespace

std::string render_terminal(const IdentifyResult& result, const TerminalStyle& style) {
  const auto& header = result.header;
  const auto heading = fmt::format("{} {} identify  {}", base::printable(header.tool),
                                   base::printable(header.version), base::printable(header.target));
  auto text = painted_lines(style, Colour::bold, heading, 0, 2) + '\n';
  const auto widest = widest_subject(result);
  for (const auto& finding : result.findings) text += finding_text(finding, widest, style);
  if (!result.findings.empty()) text += '\n';
  return text + fmt::format("{} (in {})\n", identity(result, style),
                            base::human_duration(header.duration));
}

}  // namespace hallmark::reports
