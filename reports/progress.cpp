#include <fmt/format.h>

#include "base/text.hpp"
#include "reports/terminal.hpp"

namespace hallmark::reports {
namespace {

constexpr std::string_view erase_line = "\r\x1b[K";
constexpr std::chrono::milliseconds redraw_interval{100};

}  // namespace

ProgressLine::ProgressLine(std::FILE* stream, bool enabled, std::size_t width,
                           std::chrono::milliseconds delay, Clock::time_point started)
    : stream_(stream), enabled_(enabled), width_(width), visible_from_(started + delay) {}

bool ProgressLine::due(Clock::time_point now) const {
  if (!enabled_ || now < visible_from_) return false;
  return !shown_ || now - last_shown_ >= redraw_interval;
}

void ProgressLine::update(std::string_view text, Clock::time_point now) {
  if (!due(now)) return;
  // A line as wide as the terminal would wrap, and then could not be erased.
  const auto line = base::excerpt(text, width_ > 1 ? width_ - 1 : 1);
  fmt::print(stream_, "{}{}", erase_line, line);
  std::fflush(stream_);
  last_shown_ = now;
  shown_ = true;
}

void ProgressLine::update(std::size_t done, std::size_t total, std::string_view what,
                          Clock::time_point now) {
  if (due(now))
    update(fmt::format("{}/{} {}", base::grouped(done), base::grouped(total), what), now);
}

void ProgressLine::clear() {
  if (!shown_) return;
  fmt::print(stream_, "{}", erase_line);
  std::fflush(stream_);
  shown_ = false;
}

}  // namespace hallmark::reports
