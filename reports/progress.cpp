#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "base/text.hpp"
#include "reports/terminal.hpp"

namespace hallmark::reports {
namespace {

constexpr std::string_view erase_line = "\r\x1b[K";
constexpr std::string_view erase_below = "\r\x1b[J";
constexpr std::chrono::milliseconds redraw_interval{100};

}  // namespace

ProgressLines::ProgressLines(std::FILE* stream, bool wanted, Style style,
                             std::chrono::milliseconds delay, Clock::time_point started)
    : stream_(stream), wanted_(wanted), style_(std::move(style)), visible_from_(started + delay) {}

bool ProgressLines::due(Clock::time_point now) const {
  if (!wanted_ || now < visible_from_) return false;
  return shown_.empty() || now - last_shown_ >= redraw_interval;
}

/// From the end of the last line. A terminal that became narrower has wrapped the lines.
std::string ProgressLines::to_first_row(const TerminalStyle& style) const {
  std::size_t rows = 0;
  for (const std::size_t columns : shown_)
    rows += std::max<std::size_t>(1, (columns + style.width - 1) / style.width);
  return rows > 1 ? fmt::format("\x1b[{}A", rows - 1) : std::string();
}

void ProgressLines::update(const std::vector<std::string>& lines, Clock::time_point now) {
  if (!due(now)) return;
  const TerminalStyle style = style_();
  if (!style.terminal || lines.empty()) return;
  // A line as wide as the terminal would wrap, and then could not be erased.
  const std::size_t room = style.width > 1 ? style.width - 1 : 1;
  const std::size_t rows = style.dumb ? 1 : std::max<std::size_t>(style.height, 1);
  std::vector<std::string> fitting;
  for (const std::string& line : lines) {
    if (fitting.size() == rows) break;
    fitting.push_back(base::excerpt(line, room));
  }
  std::string text;
  if (style.dumb) {
    const std::size_t before = shown_.empty() ? 0 : shown_.front();
    const std::size_t width = base::display_width(fitting.front());
    text = "\r" + fitting.front() + std::string(before - std::min(before, width), ' ');
  } else {
    text = to_first_row(style);
    if (shown_.size() > 1) text += erase_below;
    for (const std::string& line : fitting)
      text += fmt::format("{}{}{}", &line == fitting.data() ? "" : "\n", erase_line, line);
  }
  fmt::print(stream_, "{}", text);
  std::fflush(stream_);
  shown_.clear();
  for (const std::string& line : fitting) shown_.push_back(base::display_width(line));
  last_shown_ = now;
}

void ProgressLines::update(std::string_view text, Clock::time_point now) {
  update(std::vector{std::string(text)}, now);
}

void ProgressLines::update(std::size_t done, std::size_t total, std::string_view what,
                           Clock::time_point now) {
  if (due(now))
    update(fmt::format("{}/{} {}", base::grouped(done), base::grouped(total), what), now);
}

void ProgressLines::clear() {
  if (shown_.empty()) return;
  const TerminalStyle style = style_();
  if (style.dumb) {
    fmt::print(stream_, "\r{}\r", std::string(shown_.front(), ' '));
  } else {
    fmt::print(stream_, "{}{}", to_first_row(style), shown_.size() > 1 ? erase_below : erase_line);
  }
  std::fflush(stream_);
  shown_.clear();
}

std::string progress_bar(double share, std::size_t columns) {
  const auto full =
      static_cast<std::size_t>(std::clamp(share, 0.0, 1.0) * static_cast<double>(columns));
  std::string bar;
  for (std::size_t i = 0; i < columns; ++i) bar += i < full ? "█" : "░";
  return bar;
}

std::string sparkline(std::span<const double> values) {
  constexpr std::array blocks{"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
  constexpr double infinity = std::numeric_limits<double>::infinity();
  double least = infinity;
  double most = -infinity;
  for (const double value : values) {
    if (!std::isfinite(value)) continue;
    least = std::min(least, value);
    most = std::max(most, value);
  }
  std::string line;
  for (const double value : values) {
    if (!std::isfinite(value)) {
      line += ' ';
      continue;
    }
    const double share = most > least ? (value - least) / (most - least) : 0;
    line += blocks[static_cast<std::size_t>(std::lround(share * (blocks.size() - 1)))];
  }
  return line;
}

}  // namespace hallmark::reports
