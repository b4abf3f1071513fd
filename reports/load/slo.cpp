#include "reports/load/slo.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/quantity.hpp"
#include "base/text.hpp"

namespace hallmark::reports {
namespace {

enum class Kind { time, share, throughput };

constexpr std::pair<std::string_view, Quantile Quantiles::*> quantiles[] = {
    {"p50", &Quantiles::p50},    {"p90", &Quantiles::p90},      {"p99", &Quantiles::p99},
    {"p99.9", &Quantiles::p999}, {"p99.99", &Quantiles::p9999}, {"max", &Quantiles::max}};

constexpr std::pair<std::string_view, Latency LoadResult::*> latencies[] = {
    {"service.", &LoadResult::uncorrected},
    {"lag.", &LoadResult::send_lag},
    {"", &LoadResult::corrected}};

constexpr std::pair<std::string_view, Relation> relations[] = {{"<=", Relation::at_most},
                                                               {">=", Relation::at_least},
                                                               {"<", Relation::less},
                                                               {">", Relation::more}};

base::Error refused(std::string_view option, std::string_view text, std::string_view why) {
  return {
      fmt::format("{} {}: {}; expected p50, p90, p99, p99.9, p99.99, min, mean and max with "
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
    return refused(option, whole, fmt::format("'{}' is not an objective", text));
  Objective objective{.text = std::string(text), .metric = std::string(text.substr(0, at))};
  std::string_view rest = text.substr(at);
  for (const auto& [sign, relation] : relations) {
    if (!rest.starts_with(sign)) continue;
    objective.relation = relation;
    rest.remove_prefix(sign.size());
    break;
  }
  const auto kind = kind_of(objective.metric);
  if (!kind) return refused(option, whole, fmt::format("'{}' is not a metric", objective.metric));
  const auto bound = base::quantity_in(rest, units_of(*kind));
  if (!bound || !(bound->number >= 0 && bound->number <= 1e15))
    return refused(option, whole, fmt::format("'{}' is not a bound of {}", rest, objective.metric));
  objective.bound = bound->value();
  return objective;
}

/// The value of a metric; empty if nothing was measured.
using Measured = std::optional<Mean>;

const Latency& latency_in(const LoadResult& result, std::string_view metric) {
  for (const auto& [prefix, latency] : latencies) {
    if (metric.starts_with(prefix)) return result.*latency;
  }
  return result.corrected;
}

Measured time_in(const Latency& latency, std::string_view name) {
  const Quantiles& of = latency.quantiles;
  if (name == "min" && of.count != 0) return static_cast<double>(of.min);
  if (of.count == 0 && !latency.censored) return std::nullopt;
  if (name == "mean") return of.mean;
  for (const auto& [known, quantile] : quantiles) {
    if (known != name) continue;
    const Quantile& value = of.*quantile;
    return Mean{static_cast<double>(value.value), value.at_least};
  }
  return std::nullopt;
}

Measured measured(const LoadResult& result, const std::string& metric) {
  const auto ratio = [](double of, double to) { return to > 0 ? Measured(of / to) : std::nullopt; };
  if (metric == "errors") {
    return ratio(static_cast<double>(result.counts.failed + result.counts.timed_out),
                 static_cast<double>(result.counts.planned));
  }
  if (metric == "rate") return ratio(result.rate_achieved, result.rate_asked.value_or(0));
  if (metric == "throughput") return result.rate_achieved;
  return time_in(latency_in(result, metric), name_in(metric));
}

bool is_upper(Relation relation) {
  return relation == Relation::less || relation == Relation::at_most;
}

bool holds(Relation relation, double value, double bound) {
  switch (relation) {
    case Relation::less: return value < bound;
    case Relation::at_most: return value <= bound;
    case Relation::more: return value > bound;
    case Relation::at_least: return value >= bound;
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

/// The true value lies above a lower bound, which decides only what is below it.
Met met(const Objective& objective, const Mean& measured) {
  if (!measured.at_least)
    return holds(objective.relation, measured.value, objective.bound) ? Met::yes : Met::no;
  if (measured.value < objective.bound) return Met::unknown;
  return is_upper(objective.relation) ? Met::no : Met::yes;
}

/// The number of requests in ten thousand that may lie above a quantile. Empty for another metric.
std::optional<std::uint64_t> above(std::string_view quantile) {
  constexpr std::pair<std::string_view, std::uint64_t> known[] = {
      {"p50", 5'000}, {"p90", 1'000}, {"p99", 100}, {"p99.9", 10}, {"p99.99", 1}, {"max", 0}};
  for (const auto& [name, count] : known) {
    if (name == quantile) return count;
  }
  return std::nullopt;
}

/// Returns true if so many requests failed at the target that the quantile lies among them.
bool lies_among_failed(std::string_view quantile, const LoadCounts& counts) {
  const auto others = above(quantile);
  return others && counts.failed * 10'000 > *others * counts.planned;
}

/// Returns true if the client cannot have caused the miss: requests failed, or those that the
/// target did not answer miss the objective even by the time since their actual send.
bool is_proven(const Objective& objective, const LoadResult& result) {
  if (objective.metric == "errors") return is_upper(objective.relation);
  if (!is_upper(objective.relation) || objective.metric.starts_with("lag.")) return false;
  if (kind_of(objective.metric) != Kind::time) return false;
  if (lies_among_failed(name_in(objective.metric), result.counts)) return true;
  const Measured service = time_in(result.uncorrected, name_in(objective.metric));
  return service && service->at_least && met(objective, *service) == Met::no;
}

ObjectiveOutcome judge(const Objective& objective, const LoadResult& result) {
  ObjectiveOutcome outcome{objective.text, objective.metric, std::nullopt, {}, Met::unknown};
  const Measured measured = reports::measured(result, objective.metric);
  if (!measured) return outcome;
  outcome.measured = measured->value;
  outcome.at_least = measured->at_least;
  outcome.shown =
      (measured->at_least ? ">= " : "") + shown(*kind_of(objective.metric), measured->value);
  outcome.met = met(objective, *measured);
  outcome.proven = outcome.met == Met::no && is_proven(objective, result);
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
