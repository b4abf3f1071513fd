#include <fmt/format.h>

#include <algorithm>

#include "base/text.hpp"
#include "reports/certify/byte_dump.hpp"
#include "reports/terminal_report.hpp"

namespace hallmark::reports {
namespace {

constexpr std::size_t inset = 6;
constexpr std::size_t max_exchanges = 3;
/// If there are fewer rows than this, each exchange that is as expected gets only one line.
constexpr std::size_t cramped = 16;

std::string line(const TerminalStyle& style, std::string_view text) {
  return wrapped(text, style, inset);
}

std::string note(const TerminalStyle& style, std::string_view text) {
  return std::string(inset, ' ') + paint(style, Colour::dim, text) + '\n';
}

/// The exchanges that explain the verdict: up to the first difference, or the last ones.
std::pair<std::size_t, std::size_t> telling(const std::vector<Exchange>& evidence) {
  const auto wrong = std::find_if(evidence.begin(), evidence.end(), has_difference);
  const auto end = wrong == evidence.end() ? evidence.size()
                                           : static_cast<std::size_t>(wrong - evidence.begin()) + 1;
  return {end - std::min(end, max_exchanges), end};
}

/// All but the last are what led there: in the room there is, short.
std::string dump_one(const Exchange& exchange, const TerminalStyle& style, std::size_t rows,
                     bool last) {
  if (last) return dump_exchange(exchange, style, std::max<std::size_t>(rows / 2, 4), inset);
  if (rows < cramped) return brief_exchange(exchange, style, inset);
  return dump_exchange(exchange, style, rows / 4, inset);
}

std::string dump_evidence(const CaseResult& result, const TerminalStyle& style, std::size_t rows) {
  const auto& evidence = result.evidence;
  const auto [begin, end] = telling(evidence);
  std::string text;
  if (begin > 0) {
    text += note(style, fmt::format("… {} before", base::counted(begin, "exchange", "exchanges")));
  }
  for (std::size_t i = begin; i < end; ++i) {
    text += dump_one(evidence[i], style, rows, i + 1 == end);
  }
  if (end < evidence.size()) {
    const auto after = evidence.size() - end;
    text += note(style, fmt::format("… {} after", base::counted(after, "exchange", "exchanges")));
  }
  return text;
}

/// Whole, or not at all: a part of it would say something else.
std::string drawing(const CaseResult& result, const TerminalStyle& style) {
  std::string text;
  for (const std::string& one : result.drawing) text += line(style, one);
  return text;
}

std::string reproduction(const CaseResult& result, const TerminalStyle& style, std::size_t rows) {
  if (result.reproduction.empty()) return {};
  std::string text = line(style, "reproduce with");
  const auto shown = std::min(result.reproduction.size(), std::max<std::size_t>(rows / 4, 2));
  for (std::size_t i = 0; i < shown; ++i) text += line(style, "  " + result.reproduction[i]);
  if (const auto rest = result.reproduction.size() - shown; rest > 0) {
    text += note(style, fmt::format("  … {} more", base::counted(rest, "line", "lines")));
  }
  return text;
}

Colour colour_of(Verdict verdict) {
  if (verdict == Verdict::pass) return Colour::green;
  return verdict == Verdict::fail || verdict == Verdict::error ? Colour::red : Colour::yellow;
}

std::string heading(const CaseResult& result, const TerminalStyle& style) {
  std::string verdict(name_of(result.verdict));
  std::transform(verdict.begin(), verdict.end(), verdict.begin(),
                 [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c; });
  verdict.resize(std::max<std::size_t>(verdict.size(), inset - 2), ' ');
  const auto id = base::printable(result.id);
  const auto used = verdict.size() + 4 + base::display_width(id);
  const auto front = fmt::format("{}  {}", paint(style, colour_of(result.verdict), verdict),
                                 paint(style, Colour::bold, id));
  const auto title = base::printable(result.title);
  if (used + base::display_width(title) <= style.width)
    return fmt::format("{}  {}\n", front, title);
  return front + '\n' + line(style, title);
}

}  // namespace

std::string render_case(const CaseResult& result, const TerminalStyle& style, std::size_t rows) {
  auto text = heading(result, style);
  text +=
      line(style, fmt::format("{}  {}", name_of(result.level), fmt::join(result.clauses, ", ")));
  if (!result.reason.empty()) text += line(style, result.reason);
  if (!result.likely_cause.empty()) text += line(style, "likely cause: " + result.likely_cause);
  return text + drawing(result, style) + dump_evidence(result, style, rows) +
         reproduction(result, style, rows);
}

}  // namespace hallmark::reports
