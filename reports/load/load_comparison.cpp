#include "reports/load/load_comparison.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text.hpp"
#include "reports/load/marked_metric.hpp"

namespace hallmark::reports {
namespace {

std::string signed_text(const MetricDifference& metric, double value) {
  return (value < 0 ? "-" : "+") + metric_text(metric.metric, std::abs(value));
}

/// An end that is open is unknown.
std::string interval_text(const MetricDifference& metric) {
  return fmt::format("{} … {}", metric.low_open ? "?" : signed_text(metric, metric.low),
                     metric.high_open ? "?" : signed_text(metric, metric.high));
}

void add(Table& table, std::vector<std::string> cells, Difference difference,
         const TerminalStyle& style) {
  switch (difference) {
    case Difference::same: return table.add(std::move(cells));
    case Difference::better: return table.add(std::move(cells), style, Colour::green);
    case Difference::worse: return table.add(std::move(cells), style, Colour::red);
    case Difference::unknown: return table.add(std::move(cells), style, Colour::yellow);
  }
}

std::size_t count(const LoadComparison& comparison, Difference which) {
  return static_cast<std::size_t>(
      std::ranges::count(comparison.metrics, which, &MetricDifference::difference));
}

std::string verdict(const LoadComparison& comparison, const TerminalStyle& style) {
  if (!comparison.inconclusive.empty())
    return paint(style, Colour::yellow, "INCONCLUSIVE") + "  " +
           base::printable(comparison.inconclusive) + '\n';
  if (const auto worse = count(comparison, Difference::worse); worse != 0)
    return paint(style, Colour::red, "WORSE") +
           fmt::format("  {} of {}\n", worse,
                       base::counted(comparison.metrics.size(), "metric", "metrics"));
  if (const auto better = count(comparison, Difference::better); better != 0)
    return paint(style, Colour::green, "BETTER") +
           fmt::format("  {} of {}, none worse\n", better,
                       base::counted(comparison.metrics.size(), "metric", "metrics"));
  return paint(style, Colour::green, "SAME") + "  no difference that is more than noise\n";
}

}  // namespace

std::string_view name_of(Difference difference) {
  switch (difference) {
    case Difference::same: return "same";
    case Difference::better: return "better";
    case Difference::worse: return "worse";
    case Difference::unknown: return "unknown";
  }
  return "";
}

ExitCode exit_code(const LoadComparison& comparison) {
  if (!comparison.inconclusive.empty()) return ExitCode::indeterminate;
  if (count(comparison, Difference::worse) != 0) return ExitCode::failures;
  const bool nothing_known = count(comparison, Difference::unknown) == comparison.metrics.size();
  return nothing_known ? ExitCode::indeterminate : ExitCode::as_expected;
}

std::string render_terminal(const LoadComparison& comparison, const TerminalStyle& style) {
  auto text = fmt::format("A  {}\nB  {}\n\n", base::printable(comparison.before),
                          base::printable(comparison.now));
  Table table({Align::left, Align::right, Align::right, Align::right, Align::right, Align::right,
               Align::left});
  table.add({"metric", "A", "B", "B - A", "99 % interval", "noise", ""}, style, Colour::bold);
  for (const MetricDifference& metric : comparison.metrics) {
    add(table,
        {metric.metric, marked_metric(metric.metric, metric.before),
         marked_metric(metric.metric, metric.now),
         signed_text(metric, metric.now.value - metric.before.value), interval_text(metric),
         metric_text(metric.metric, metric.noise), std::string(name_of(metric.difference))},
        metric.difference, style);
  }
  const bool marked = std::ranges::any_of(comparison.metrics, [](const MetricDifference& metric) {
    return metric.before.by_client || metric.now.by_client;
  });
  text += table.render();
  if (marked) text += std::string(client_mark_text) + '\n';
  return text + '\n' + verdict(comparison, style);
}

}  // namespace hallmark::reports
