#include "reports/certify/run_heading.hpp"

#include <fmt/format.h>

#include "base/text.hpp"
#include "base/utc.hpp"

namespace hallmark::reports {
namespace {

void append(std::string& line, std::string_view part, std::string_view separator) {
  if (part.empty()) return;
  if (!line.empty()) line += separator;
  line += base::printable(part);
}

/// The words behind a title, on as many lines of that width as they need.
std::vector<std::string> lines_of(std::string_view title, const std::vector<std::string>& words,
                                  std::size_t width) {
  std::vector<std::string> lines;
  for (const auto& word : words) {
    const auto shown = base::printable(word);
    const bool fits = !lines.empty() &&
                      base::display_width(lines.back()) + 2 + base::display_width(shown) <= width;
    if (!fits)
      lines.emplace_back(lines.empty() ? std::string(title) : std::string(title.size(), ' '));
    lines.back() += "  " + shown;
  }
  return lines;
}

}  // namespace

std::string heading_of(std::string_view command, const RunHeader& header, std::string_view suite,
                       const TerminalStyle& style) {
  auto line = fmt::format("{} {} {}", base::printable(header.tool), base::printable(header.version),
                          command);
  append(line,
         header.width.empty() ? header.dialect : fmt::format("{} {}", header.dialect, header.width),
         "  ");
  append(line, header.profile, "  ");
  append(line, header.target, "  ");
  append(line, suite, "  ");
  const bool scrolls = style.height == 0;
  auto options = base::iso_utc(header.started);
  if (!scrolls) {
    // All of them would fill the terminal.
    if (!header.readings.empty())
      append(options, base::counted(header.readings.size(), "reading", "readings"), "  ");
  }
  for (const auto& [name, value] : header.options)
    append(options, fmt::format("{}={}", name, value), "  ");
  auto text = painted_lines(style, Colour::bold, line, 0, 2);
  text += painted_lines(style, Colour::dim, options, 0, 2);
  if (scrolls) {
    for (const auto& each : lines_of("readings:", header.readings, style.width))
      text += each + '\n';
  }
  for (const auto& note : header.notes) text += wrapped(note, style, 0, 6);
  return text;
}

}  // namespace hallmark::reports
