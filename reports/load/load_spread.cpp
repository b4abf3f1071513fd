#include "reports/load/load_spread.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/quantity.hpp"
#include "reports/load/marked_metric.hpp"

namespace hallmark::reports {
namespace {

std::string interval_text(const MetricSpread& one) {
  if (one.low == 0 && one.high == 0) return "·";
  return fmt::format("{} … {}", metric_text(one.metric, one.low),
                     metric_text(one.metric, one.high));
}

}  // namespace

std::string metric_text(const std::string& metric, double value) {
  if (metric == "throughput" || metric == "capacity") return fmt::format("{:.1f}/s", value);
  return base::human_duration(std::chrono::nanoseconds(std::llround(value)));
}

std::string render_terminal(const std::vector<MetricSpread>& spread, const TerminalStyle& style) {
  if (spread.empty()) return {};
  Table table({Align::left, Align::right, Align::right, Align::right});
  table.add({fmt::format("between {} runs", spread.front().runs.size()), "least", "most",
             "95 % interval of the mean"},
            style, Colour::bold);
  for (const MetricSpread& one : spread) {
    const auto [least, most] = std::ranges::minmax(one.runs, {}, &Mean::value);
    table.add({one.metric, marked_metric(one.metric, least), marked_metric(one.metric, most),
               interval_text(one)});
  }
  return table.render() + '\n';
}

}  // namespace hallmark::reports
