#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>

#include "base/text.hpp"
#include "reports/load/knee.hpp"

namespace hallmark::reports {
namespace {

std::string rate_text(double rate) {
  return rate > 0 ? base::grouped(static_cast<std::uint64_t>(std::llround(rate))) : "none";
}

std::string rates_text(const std::vector<double>& rates) {
  std::string text;
  for (const double rate : rates) text += (text.empty() ? "" : ", ") + rate_text(rate);
  return text.empty() ? "·" : text;
}

/// Throughput and latency, by rate: what the runs at a rate showed in the median.
std::string curve(const Knee& knee, const TerminalStyle& style) {
  std::map<double, std::vector<const KneePoint*>> by_rate;
  for (const KneePoint& point : knee.points) by_rate[point.rate].push_back(&point);
  Table table({Align::right, Align::right, Align::right, Align::right, Align::right, Align::right,
               Align::right, Align::left});
  table.add({"asked/s", "achieved/s", "p50", "p99", "p99.9", "client", "runs", "held"}, style,
            Colour::bold);
  for (const auto& [rate, points] : by_rate) {
    const auto median = [&at_rate = points](auto value) {
      std::vector<Quantile> values;
      for (const KneePoint* point : at_rate) values.push_back(value(*point));
      // A lower bound comes behind all that are known.
      std::ranges::sort(values, {},
                        [](const Quantile& one) { return std::pair(one.at_least, one.value); });
      return text_of(values[(values.size() - 1) / 2]);
    };
    double achieved = 0;
    double busy = 0;
    for (const KneePoint* point : points) {
      achieved += point->achieved / static_cast<double>(points.size());
      busy = std::max(busy, point->busy);
    }
    const auto held = std::ranges::count_if(
        points, [](const KneePoint* point) { return point->met == Met::yes; });
    table.add({rate_text(rate), rate_text(achieved),
               median([](const KneePoint& point) { return point.p50; }),
               median([](const KneePoint& point) { return point.p99; }),
               median([](const KneePoint& point) { return point.p999; }),
               fmt::format("{:.0f} %", 100 * busy), fmt::format("{}", points.size()),
               fmt::format("{}", held)});
  }
  return table.render() + '\n';
}

/// Returns true if longer runs were made, and none held.
bool is_unconfirmed(const Knee& knee) {
  return knee.confirmed <= 0 &&
         std::ranges::find(knee.points, "confirm", &KneePoint::sweep) != knee.points.end();
}

std::string verdict(const Knee& knee, const TerminalStyle& style) {
  if (knee.rate <= 0) {
    const bool tried = !knee.points.empty();
    return paint(style, Colour::red, "NONE") +
           fmt::format("  not even {} requests/s hold{}\n",
                       tried ? rate_text(knee.points.front().rate) : "a few",
                       tried && !knee.points.front().reason.empty()
                           ? ": " + base::printable(knee.points.front().reason)
                           : "");
  }
  auto found = fmt::format("{} requests/s hold; 95 % interval {} to {}", rate_text(knee.rate),
                           rate_text(knee.low), rate_text(knee.high));
  if (knee.confirmed > 0) found += fmt::format("; {} confirmed", rate_text(knee.confirmed));
  if (knee.interrupted) return paint(style, Colour::yellow, "INTERRUPTED") + "  " + found + '\n';
  if (knee.client_limited)
    return paint(style, Colour::yellow, "INCONCLUSIVE") + "  " + found +
           "; beyond it the client could not say\n";
  if (is_unconfirmed(knee))
    return paint(style, Colour::yellow, "INCONCLUSIVE") + "  " + found +
           "; longer runs at these rates do not hold\n";
  return paint(style, Colour::green, "FOUND") + "  " + found + '\n';
}

}  // namespace

ExitCode exit_code(const Knee& knee) {
  if (knee.interrupted) return ExitCode::indeterminate;
  if (knee.rate <= 0) {
    const bool unknown = !knee.points.empty() && knee.points.front().met == Met::unknown;
    return unknown ? ExitCode::indeterminate : ExitCode::failures;
  }
  return knee.client_limited || is_unconfirmed(knee) ? ExitCode::indeterminate
                                                     : ExitCode::as_expected;
}

std::string render_terminal(const Knee& knee, const TerminalStyle& style) {
  return fmt::format("search  {}  {}\n\n", base::printable(knee.target),
                     base::printable(knee.objectives)) +
         curve(knee, style) +
         fmt::format("from below {}; from above {}\n\n", rates_text(knee.up),
                     rates_text(knee.down)) +
         verdict(knee, style);
}

}  // namespace hallmark::reports
