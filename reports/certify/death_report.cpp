#include "reports/certify/death_report.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/quantity.hpp"
#include "base/text.hpp"
#include "reports/certify/byte_dump.hpp"

namespace hallmark::reports {
namespace {

constexpr std::size_t margin = 6;
constexpr std::size_t most_connections = 3;

std::string line(const TerminalStyle& style, std::string_view text) {
  return wrapped(text, style, margin);
}

/// The last message over each connection: those of the killer where there is one.
std::vector<const Exchange*> shown_of(const Death& death) {
  std::vector<const Exchange*> shown;
  for (const Exchange& one : death.last_sent) {
    const bool is_telling = death.killer.empty() || one.connection.starts_with(death.killer);
    if (!is_telling) continue;
    if (!shown.empty() && shown.back()->connection == one.connection) {
      shown.back() = &one;
    } else if (shown.size() < most_connections) {
      shown.push_back(&one);
    } else {
      break;
    }
  }
  return shown;
}

std::string last_sent(const Death& death, const TerminalStyle& style, std::size_t rows) {
  const auto shown = shown_of(death);
  if (shown.empty()) return {};
  std::string text = line(style, "it was sent last");
  for (const Exchange* const one : shown)
    text += dump_exchange(*one, style, std::max<std::size_t>(rows / 4, 4), margin);
  return text;
}

}  // namespace

std::string death_in_one_line(const Death& death) {
  return fmt::format("{}, {} after it was started: {}", death.how,
                     base::human_duration(death.lived), death.conclusion);
}

std::string render_death(const Death& death, const TerminalStyle& style, std::size_t rows) {
  std::string text =
      fmt::format("{}  {}\n", paint(style, Colour::red, death.hung ? "HUNG" : "DIED"),
                  paint(style, Colour::bold,
                        base::printable(fmt::format("{}, {} after it was started", death.how,
                                                    base::human_duration(death.lived)))));
  text += line(style, death.conclusion);
  if (death.killer.empty() && !death.running.empty())
    text += line(style, fmt::format("played then: {}", fmt::join(death.running, ", ")));
  if (!death.output.empty()) text += line(style, "it wrote last");
  for (const std::string& one : death.output) text += line(style, "  " + one);
  return text + last_sent(death, style, rows);
}

}  // namespace hallmark::reports
