#include "reports/terminal.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

#include "base/text.hpp"

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

/// As display_width, without the escape sequences of `paint`, which all end in "m".
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
  const char* no_colour = std::getenv("NO_COLOR");  // NOLINT(concurrency-mt-unsafe): nobody sets it
  style.colour = no_colour == nullptr || *no_colour == '\0';
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

std::string Table::render(std::size_t indent) const {
  const auto column_widths = widths();
  std::string text;
  for (const auto& row : rows_) {
    std::string line;
    for (std::size_t i = 0; i < column_widths.size(); ++i) {
      if (i > 0) line += "  ";
      append_cell(line, row.cells[i], column_widths[i], columns_[i]);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += std::string(line.empty() ? 0 : indent, ' ') + row.before + line + row.after + '\n';
  }
  return text;
}

}  // namespace hallmark::reports
