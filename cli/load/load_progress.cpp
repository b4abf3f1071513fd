#include "cli/load/load_progress.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "base/nanoseconds.hpp"
#include "base/quantity.hpp"
#include "base/text.hpp"

namespace hallmark::cli {
namespace {

constexpr std::size_t most_seconds = 60;
/// Beside a curve: its name and its latest value, and the last column, which stays free.
constexpr std::size_t curve_margin = 22;
constexpr std::size_t name_columns = 10;

std::string seconds_text(double seconds) {
  if (seconds < 0.5) return "0 s";
  return base::human_duration(std::chrono::nanoseconds(std::llround(seconds) * base::second_ns));
}

}  // namespace

void LoadProgress::add(const reports::SecondSample& sample, const loadgen::Tally& second) {
  seconds_.push_back({sample, second.total().planned, second.send_lag.quantile(0.99)});
  if (seconds_.size() > most_seconds) seconds_.pop_front();
  errors_ += sample.errors;
}

std::string LoadProgress::time_line(std::size_t columns) const {
  const reports::SecondSample& last = seconds_.back().sample;
  const double over = static_cast<double>(last.second) + last.length_s;
  const double planned = static_cast<double>(planned_.count()) / base::ns_per_second;
  const std::string text =
      fmt::format("{} of {}, {} left", seconds_text(over), base::human_duration(planned_),
                  seconds_text(planned - over));
  const std::size_t used = base::display_width(text) + 3;
  const std::size_t bar = columns > used ? std::min<std::size_t>(columns - used, 40) : 0;
  return reports::progress_bar(over / planned, bar) + (bar > 0 ? "  " : "") + text;
}

/// More than one where the terminal is narrow.
std::vector<std::string> LoadProgress::rate_lines(std::size_t columns) const {
  const Second& last = seconds_.back();
  const auto rate = [&](std::uint64_t count) {
    const double length = std::max(last.sample.length_s, 1e-3);
    return base::grouped(static_cast<std::uint64_t>(static_cast<double>(count) / length));
  };
  std::vector<std::string> parts{fmt::format("sent {}/s", rate(last.sample.sent)),
                                 fmt::format("answered {}/s", rate(last.sample.completed))};
  if (open_loop_) parts.insert(parts.begin(), fmt::format("asked {}/s", rate(last.planned)));
  std::vector<std::string> lines;
  for (const std::string& part : parts) {
    if (lines.empty()) {
      lines.push_back(fmt::format("{:<{}}{}", "rate", name_columns, part));
    } else if (base::display_width(lines.back() + ", " + part) < columns) {
      lines.back() += ", " + part;
    } else {
      lines.back() += ',';
      lines.push_back(std::string(name_columns, ' ') + part);
    }
  }
  return lines;
}

template <class Value>
std::string LoadProgress::curve(std::string_view name, const std::string& now, std::size_t columns,
                                Value value) const {
  std::vector<double> values;
  for (const Second& one : seconds_) values.push_back(value(one));
  const std::size_t room = columns > curve_margin ? columns - curve_margin : 0;
  const std::size_t first = values.size() - std::min(values.size(), room);
  const std::size_t used = base::display_width(now);
  return fmt::format("{:<10}{}{}{}", name, now, std::string(used < 10 ? 10 - used : 1, ' '),
                     reports::sparkline(std::span(values).subspan(first)));
}

std::vector<std::string> LoadProgress::lines(std::size_t columns) const {
  if (seconds_.empty()) return {};
  const Second& last = seconds_.back();
  const auto latency = [](const reports::Quantile& quantile) {
    return std::log(static_cast<double>(std::max<std::uint64_t>(quantile.value, 1)));
  };
  std::vector<std::string> lines{time_line(columns)};
  std::ranges::move(rate_lines(columns), std::back_inserter(lines));
  lines.push_back(curve("p50", text_of(last.sample.p50), columns,
                        [&](const Second& one) { return latency(one.sample.p50); }));
  lines.push_back(curve("p99", text_of(last.sample.p99), columns,
                        [&](const Second& one) { return latency(one.sample.p99); }));
  lines.push_back(curve("errors", base::grouped(errors_), columns,
                        [](const Second& one) { return static_cast<double>(one.sample.errors); }));
  if (open_loop_)
    lines.push_back(fmt::format(
        "{:<10}{} of the client (p99)", "lag",
        base::human_duration(std::chrono::nanoseconds(static_cast<std::int64_t>(last.lag_p99)))));
  return lines;
}

std::string second_in_words(const reports::SecondSample& sample) {
  return fmt::format("{:>4} s  {} sent/s  {} answered/s  {} errors  p50 {}  p99 {}  max {}",
                     sample.second + 1, base::grouped(sample.sent), base::grouped(sample.completed),
                     base::grouped(sample.errors), text_of(sample.p50), text_of(sample.p99),
                     text_of(sample.max));
}

}  // namespace hallmark::cli
