#include "reports/terminal.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>

#include "base/environment.hpp"
#include "base/text.hpp"
#include "reports/terminfo.hpp"

namespace hallmark::reports {
namespace {

std::string_view code_of(Colour colour) {
  switch (colour) {
    case Colour::red: return "\x1b[31m";
    case Colour::green: return "\x1b[32m";
    case Colour::yellow: return "\x1b[33m";
    case Colour::cyan: return "\x1b[36m";
    case Colour::dim: return "\x1b[2m";
    case Colour::bold: return "\x1b[1m";
  }
  return "";
}

constexpr std::string_view reset = "\x1b[0m";

/// The display width without the escape sequences of `paint`, which all end in "m".
std::size_t visible_width(std::string_view text) {
  std::size_t width = 0;
  for (auto escape = text.find('\x1b'); escape != text.npos; escape = text.find('\x1b')) {
    width += base::display_width(text.substr(0, escape));
    text.remove_prefix(std::min(text.find('m', escape), text.size() - 1) + 1);
  }
  return width + base::display_width(text);
}

void append_cell(std::string& line, const std::string& cell, std::size_t width, Align align) {
  const std::string padding(width - visible_width(cell), ' ');
  line += align == Align::right ? padding + cell : cell + padding;
}

}  // namespace

bool is_terminal(std::FILE* stream) { return ::isatty(::fileno(stream)) == 1; }

TerminalStyle style_for(std::FILE* stream) {
  TerminalStyle style;
  if (!is_terminal(stream)) return style;
  style.terminal = true;
  const TerminalAbilities abilities = abilities_of(base::environment_variable("TERM").c_str());
  style.dumb = !abilities.moves_cursor;
  style.colour = abilities.colour && base::environment_variable("NO_COLOR").empty();
  winsize size{};
  if (::ioctl(::fileno(stream), TIOCGWINSZ, &size) == 0 && size.ws_col > 0 && size.ws_row > 0) {
    style.width = std::max<std::size_t>(size.ws_col, 40);
    style.height = size.ws_row;
  }
  return style;
}

std::string paint(const TerminalStyle& style, Colour colour, std::string_view text) {
  if (!style.colour) return std::string(text);
  return fmt::format("{}{}{}", code_of(colour), text, reset);
}

namespace {

/// The beginning of a text that is put on a line of `room` columns: up to a blank, or all that
/// fits.
std::string_view first_line(std::string_view text, std::size_t room) {
  std::size_t end = 0;
  std::size_t blank = 0;
  std::size_t columns = 0;
  for (; end < text.size(); ++end) {
    const bool begins = (static_cast<unsigned char>(text[end]) & 0xC0U) != 0x80U;
    if (begins && ++columns > room) break;
    if (text[end] == ' ') blank = end;
  }
  if (end == text.size() || blank == 0) return text.substr(0, end);
  return text.substr(0, text[end] == ' ' ? end : blank);
}

}  // namespace

std::string wrapped(std::string_view text, const TerminalStyle& style, std::size_t indent,
                    std::size_t hang) {
  constexpr std::size_t most_lines = 64;
  const std::string all = base::printable(text);
  std::string_view left = all;
  std::string lines;
  for (std::size_t i = 0; i == 0 || !left.empty(); ++i) {
    const std::size_t margin = indent + (i == 0 ? 0 : hang);
    const std::size_t room = style.width > margin + 20
                                 ? style.width - margin
                                 : std::clamp<std::size_t>(style.width, 1, 20);
    lines.append(margin, ' ');
    if (i + 1 == most_lines) return lines + base::shorten(left, room) + '\n';
    const std::string_view line = first_line(left, room);
    lines.append(line.substr(0, line.find_last_not_of(' ') + 1)).push_back('\n');
    left.remove_prefix(line.size());
    left.remove_prefix(std::min(left.find_first_not_of(' '), left.size()));
  }
  return lines;
}

std::string painted_lines(const TerminalStyle& style, Colour colour, std::string_view text,
                          std::size_t indent, std::size_t hang) {
  const std::string lines = wrapped(text, style, indent, hang);
  std::string painted;
  for (std::string_view left = lines; !left.empty();) {
    const std::string_view line = left.substr(0, left.find('\n'));
    painted += paint(style, colour, line) + '\n';
    left.remove_prefix(line.size() + 1);
  }
  return painted;
}

void Table::add(std::vector<std::string> cells) {
  cells.resize(columns_.size());
  rows_.push_back({std::move(cells), {}, {}});
}

void Table::add(std::vector<std::string> cells, const TerminalStyle& style, Colour colour) {
  add(std::move(cells));
  if (!style.colour) return;
  rows_.back().before = code_of(colour);
  rows_.back().after = reset;
}

std::vector<std::size_t> Table::widths() const {
  std::vector<std::size_t> widths(columns_.size());
  for (const auto& row : rows_) {
    for (std::size_t i = 0; i < widths.size(); ++i) {
      widths[i] = std::max(widths[i], visible_width(row.cells[i]));
    }
  }
  return widths;
}

std::string Table::line_of(const Row& row, const std::vector<std::size_t>& widths,
                           std::size_t without) const {
  std::string line;
  for (std::size_t i = 0; i + without < widths.size(); ++i) {
    if (i > 0) line += "  ";
    append_cell(line, row.cells[i], widths[i], columns_[i]);
  }
  return line;
}

std::string Table::render(std::size_t indent) const {
  const auto column_widths = widths();
  std::string text;
  for (const auto& row : rows_) {
    std::string line = line_of(row, column_widths, 0);
    line.erase(line.find_last_not_of(' ') + 1);
    text += std::string(line.empty() ? 0 : indent, ' ') + row.before + line + row.after + '\n';
  }
  return text;
}

std::string Table::render_wrapped(const TerminalStyle& style, std::size_t indent) const {
  const auto column_widths = widths();
  std::string text;
  for (const auto& row : rows_) {
    const std::string front = std::string(indent, ' ') + line_of(row, column_widths, 1) + "  ";
    const std::size_t margin = visible_width(front);
    const std::string last = wrapped(row.cells.back(), style, margin);
    text += row.before + front + last.substr(margin, last.size() - margin - 1) + row.after + '\n';
  }
  return text;
}

}  // namespace hallmark::reports
