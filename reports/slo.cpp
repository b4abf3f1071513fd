#include "reports/slo.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/quantity.hpp"
#include "base/text.hpp"

namespace hallmark::reports {
namespace {

enum class Kind { time, share, throughput };

using Quantile = std::optional<std::uint64_t> Quantiles::*;

constexpr std::pair<std::string_view, Quantile> quantiles[] = {
    {"p50", &Quantiles::p50},    {"p90", &Quantiles::p90},      {"p99", &Quantiles::p99},
    {"p99.9", &Quantiles::p999}, {"p99.99", &Quantiles::p9999}, {"max", &Quantiles::max}};

constexpr std::pair<std::string_view, Latency LoadResult::*> latencies[] = {
    {"service.", &LoadResult::uncorrected},
    {"lag.", &LoadResult::send_lag},
    {"", &LoadResult::corrected}};

constexpr std::pair<std::string_view, Comparison> comparisons[] = {{"<=", Comparison::at_most},
                                                                   {">=", Comparison::at_least},
                                                                   {"<", Comparison::less},
                                                                   {">", Comparison::more}};

base::Error refused(std::string_view option, std::string_view text, std::string_view why) {
  return {
      fmt::format("{} {}: {}; allowed: p50, p90, p99, p99.9, p99.99, min, mean and max with "
                  "a time, also as service.p99 and lag.p99; errors and rate with a share; "
                  "throughput with requests per second; such as "
                  "p99<5ms,errors<0.01%,rate>=0.99",
                  option, text, why)};
}

/// The metric without what says where its times count from.
std::string_view name_in(std::string_view metric) {
  for (const auto& [prefix, latency] : latencies) {
    if (!prefix.empty() && metric.starts_with(prefix)) return metric.substr(prefix.size());
  }
  return metric;
}

std::optional<Kind> kind_of(std::string_view metric) {
  const std::string_view name = name_in(metric);
  const bool is_quantile =
      std::ranges::any_of(quantiles, [&](const auto& one) { return one.first == name; });
  if (is_quantile || name == "min" || name == "mean") return Kind::time;
  if (metric == "errors" || metric == "rate") return Kind::share;
  if (metric == "throughput") return Kind::throughput;
  return std::nullopt;
}

std::span<const base::Unit> units_of(Kind kind) {
  switch (kind) {
    case Kind::time: return base::duration_units;
    case Kind::share: return base::share_units;
    case Kind::throughput: return base::count_units;
  }
  return {};
}

base::Result<Objective> read(std::string_view text, std::string_view whole,
                             std::string_view option) {
  const std::size_t at = text.find_first_of("<>");
  if (at == std::string_view::npos)
    return refused(option, whole, fmt::format("'{}' compares nothing", text));
  Objective objective{.text = std::string(text), .metric = std::string(text.substr(0, at))};
  std::string_view rest = text.substr(at);
  for (const auto& [sign, comparison] : comparisons) {
    if (!rest.starts_with(sign)) continue;
    objective.comparison = comparison;
    rest.remove_prefix(sign.size());
    break;
  }
  const auto kind = kind_of(objective.metric);
  if (!kind) return refused(option, whole, fmt::format("no metric '{}'", objective.metric));
  const auto bound = base::quantity_in(rest, units_of(*kind));
  if (!bound || !(bound->number >= 0 && bound->number <= 1e15))
    return refused(option, whole, fmt::format("'{}' is no bound of {}", rest, objective.metric));
  objective.bound = bound->value();
  return objective;
}

/// The value of a metric. Empty if lost requests hide it: it is more than `beyond`.
struct Measured {
  std::optional<double> value;
  double beyond = 0;
};

Measured time_in(const LoadResult& result, std::string_view metric) {
  const Latency* latency = nullptr;
  for (const auto& [prefix, of] : latencies) {
    if (latency == nullptr && metric.starts_with(prefix)) latency = &(result.*of);
  }
  const std::string_view name = name_in(metric);
  const double beyond = latency->censored ? static_cast<double>(latency->censored->beyond_ns) : 0;
  const Quantiles& of = latency->quantiles;
  if (of.count == 0) return {std::nullopt, beyond};
  if (name == "min") return {static_cast<double>(of.min), beyond};
  if (name == "mean") return {of.mean, beyond};
  for (const auto& [known, quantile] : quantiles) {
    if (known != name) continue;
    const auto& value = of.*quantile;
    return {value ? std::optional(static_cast<double>(*value)) : std::nullopt, beyond};
  }
  return {};
}

Measured measured(const LoadResult& result, const std::string& metric) {
  const auto ratio = [](double of, double to) {
    return to > 0 ? std::optional(of / to) : std::nullopt;
  };
  if (metric == "errors") {
    return {ratio(static_cast<double>(result.counts.failed + result.counts.timed_out),
                  static_cast<double>(result.counts.planned))};
  }
  if (metric == "rate") return {ratio(result.rate_achieved, result.rate_asked.value_or(0))};
  if (metric == "throughput") return {result.rate_achieved};
  return time_in(result, metric);
}

bool holds(Comparison comparison, double value, double bound) {
  switch (comparison) {
    case Comparison::less: return value < bound;
    case Comparison::at_most: return value <= bound;
    case Comparison::more: return value > bound;
    case Comparison::at_least: return value >= bound;
  }
  return false;
}

std::string shown(Kind kind, double value) {
  switch (kind) {
    case Kind::time:
      return base::human_duration(std::chrono::nanoseconds(static_cast<std::int64_t>(value)));
    case Kind::share: return fmt::format("{:.4g} %", 100 * value);
    case Kind::throughput: return fmt::format("{:.1f}/s", value);
  }
  return {};
}

ObjectiveOutcome judge(const Objective& objective, const LoadResult& result) {
  const Kind kind = *kind_of(objective.metric);
  const auto [value, beyond] = measured(result, objective.metric);
  ObjectiveOutcome outcome{objective.text, objective.metric, value, {}, Met::unknown};
  if (value) {
    outcome.shown = shown(kind, *value);
    outcome.met = holds(objective.comparison, *value, objective.bound) ? Met::yes : Met::no;
    return outcome;
  }
  // All that is known is that it is more.
  const bool upper =
      objective.comparison == Comparison::less || objective.comparison == Comparison::at_most;
  if (beyond > 0) outcome.shown = "> " + shown(kind, beyond);
  if (beyond > 0 && beyond >= objective.bound) outcome.met = upper ? Met::no : Met::yes;
  return outcome;
}

}  // namespace

base::Result<std::vector<Objective>> parse_objectives(std::string_view text,
                                                      std::string_view option) {
  std::vector<Objective> objectives;
  for (const std::string_view part : base::split(text, ',')) {
    auto objective = read(part, text, option);
    if (!objective) return objective.error();
    objectives.push_back(std::move(*objective));
  }
  return objectives;
}

std::vector<ObjectiveOutcome> judge(const std::vector<Objective>& objectives,
                                    const LoadResult& result) {
  std::vector<ObjectiveOutcome> outcomes;
  for (const Objective& objective : objectives) outcomes.push_back(judge(objective, result));
  return outcomes;
}

}  // namespace hallmark::reports
