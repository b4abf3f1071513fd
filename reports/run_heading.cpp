#include "reports/run_heading.hpp"

#include <fmt/format.h>

#include "reports/text.hpp"

namespace hallmark::reports {
namespace {

void append(std::string& line, std::string_view part, std::string_view separator) {
  if (part.empty()) return;
  if (!line.empty()) line += separator;
  line += printable(part);
}

}  // namespace

std::string heading_of(std::string_view command, const RunHeader& header, std::string_view suite,
                       const TerminalStyle& style) {
  auto line = fmt::format("{} {} {}", printable(header.tool), printable(header.version), command);
  append(line, fmt::format("{} {}", header.dialect, header.width), "  ");
  append(line, header.profile, "  ");
  append(line, header.target, "  ");
  append(line, suite, "  ");
  auto options = iso_utc(header.started);
  for (const auto& reading : header.readings) append(options, reading, "  ");
  for (const auto& [name, value] : header.options)
    append(options, fmt::format("{}={}", name, value), "  ");
  auto text = paint(style, Colour::bold, shorten(line, style.width)) + '\n';
  text += paint(style, Colour::dim, shorten(options, style.width));
  return text += '\n';
}

}  // namespace hallmark::reports
