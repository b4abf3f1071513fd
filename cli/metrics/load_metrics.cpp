#include "cli/metrics/load_metrics.hpp"

#include <prometheus/counter.h>
#include <prometheus/gauge.h>
#include <prometheus/histogram.h>
#include <prometheus/registry.h>
#include <prometheus/text_serializer.h>

#include <algorithm>
#include <array>
#include <map>
#include <sstream>

#include "base/nanoseconds.hpp"

namespace hallmark::cli {
namespace {

using prometheus::Labels;

/// Upper edges, seconds, ten to a decade: `histogram_quantile`, which takes latencies for evenly
/// spread between two of them, is off by a quarter at most.
prometheus::Histogram::BucketBoundaries latency_edges() {
  constexpr std::array preferred{1.0, 1.25, 1.6, 2.0, 2.5, 3.15, 4.0, 5.0, 6.3, 8.0};
  prometheus::Histogram::BucketBoundaries edges;
  for (const double decade : {1e-5, 1e-4, 1e-3, 1e-2, 1e-1, 1.0})
    for (const double number : preferred) edges.push_back(number * decade);
  edges.push_back(10);
  return edges;
}

const prometheus::Histogram::BucketBoundaries edges = latency_edges();

void observe(const loadgen::Histogram& latency, prometheus::Histogram& observed) {
  if (latency.empty()) return;
  std::vector<double> counts(edges.size() + 1);
  for (std::size_t i = 0; i < latency.used_length(); ++i) {
    if (latency.counts()[i] == 0) continue;
    // A value at an edge counts below it, although its bucket here reaches 0.1 % above it.
    const auto value = static_cast<double>(loadgen::Histogram::lowest_value_at(i));
    const auto edge = std::ranges::lower_bound(edges, value / base::ns_per_second);
    counts[static_cast<std::size_t>(edge - edges.begin())] +=
        static_cast<double>(latency.counts()[i]);
  }
  observed.ObserveMultiple(
      counts, latency.mean() * static_cast<double>(latency.count()) / base::ns_per_second);
}

/// A quantile of the last second, and the flag that says that it is a lower bound.
struct QuantileGauges {
  double share;
  prometheus::Gauge& value;
  prometheus::Gauge& at_least;
  prometheus::Gauge& by_client;

  void set(const reports::Quantile& quantile) {
    value.Set(static_cast<double>(quantile.value) / base::ns_per_second);
    at_least.Set(quantile.at_least ? 1 : 0);
    by_client.Set(quantile.by_client ? 1 : 0);
  }
};

struct Outcome {
  const char* name;
  std::uint64_t reports::LoadCounts::*count;
};
constexpr std::array outcomes{Outcome{"completed", &reports::LoadCounts::completed},
                              Outcome{"timed_out", &reports::LoadCounts::timed_out},
                              Outcome{"shed", &reports::LoadCounts::shed},
                              Outcome{"failed", &reports::LoadCounts::failed}};
constexpr std::array quantile_labels{std::pair{0.5, "0.5"}, std::pair{0.99, "0.99"},
                                     std::pair{1.0, "1"}};

Labels with(Labels labels, const std::string& name, const std::string& value) {
  labels[name] = value;
  return labels;
}

template <class Builder>
auto& family(Builder builder, prometheus::Registry& registry, const char* name, const char* help,
             const Labels& labels) {
  return builder.Name(name).Help(help).Labels(labels).Register(registry);
}

}  // namespace

struct LoadMetrics::OfOperation {
  std::vector<prometheus::Counter*> ended;  ///< in the order of `outcomes`
  prometheus::Counter* planned = nullptr;
  prometheus::Histogram* latency = nullptr;
  std::vector<QuantileGauges> quantiles;
};

struct LoadMetrics::Families {
  explicit Families(const MetricLabels& of)
      : labels{{"target", of.target},
               {"dialect", of.dialect},
               {"run", of.run},
               {"rank", std::to_string(of.rank)}} {}

  Labels labels;
  prometheus::Registry registry;
  prometheus::Family<prometheus::Counter>& planned =
      family(prometheus::BuildCounter(), registry, "hallmark_load_planned_requests_total",
             "Requests of the measured part that were planned", labels);
  prometheus::Family<prometheus::Counter>& requests =
      family(prometheus::BuildCounter(), registry, "hallmark_load_requests_total",
             "Requests of the measured part that have ended, by how", labels);
  prometheus::Family<prometheus::Histogram>& latency = family(
      prometheus::BuildHistogram(), registry, "hallmark_load_latency_seconds",
      "From the planned send to the reply; of a closed loop from the actual one. Requests without "
      "a reply count with the time they were waited for, the least they took",
      labels);
  prometheus::Family<prometheus::Gauge>& quantiles =
      family(prometheus::BuildGauge(), registry, "hallmark_load_last_second_latency_seconds",
             "Quantiles of the last second; lower bounds where "
             "hallmark_load_last_second_latency_at_least is 1",
             labels);
  prometheus::Family<prometheus::Gauge>& bounds =
      family(prometheus::BuildGauge(), registry, "hallmark_load_last_second_latency_at_least",
             "1 where the quantile of the last second is a lower bound, since requests without a "
             "reply lie there",
             labels);
  prometheus::Family<prometheus::Gauge>& marks = family(
      prometheus::BuildGauge(), registry, "hallmark_load_last_second_latency_by_client",
      "1 where the client could explain more than a tenth of the quantile of the last second",
      labels);
  prometheus::Gauge& running = family(prometheus::BuildGauge(), registry, "hallmark_load_running",
                                      "1 during the run, 0 when these are its last values", labels)
                                   .Add({});
  std::map<std::string, OfOperation> operations;
};

LoadMetrics::LoadMetrics(const MetricLabels& labels)
    : families_(std::make_unique<Families>(labels)) {
  families_->running.Set(1);
}

LoadMetrics::~LoadMetrics() = default;

LoadMetrics::OfOperation& LoadMetrics::of(const std::string& operation) {
  const auto [at, is_new] = families_->operations.try_emplace(operation);
  OfOperation& metrics = at->second;
  if (!is_new) return metrics;
  const Labels labels{{"operation", operation}};
  metrics.planned = &families_->planned.Add(labels);
  metrics.latency = &families_->latency.Add(labels, edges);
  for (const Outcome& outcome : outcomes)
    metrics.ended.push_back(&families_->requests.Add(with(labels, "outcome", outcome.name)));
  for (const auto& [share, name] : quantile_labels) {
    const Labels of_quantile = with(labels, "quantile", name);
    metrics.quantiles.push_back({share, families_->quantiles.Add(of_quantile),
                                 families_->bounds.Add(of_quantile),
                                 families_->marks.Add(of_quantile)});
  }
  return metrics;
}

void LoadMetrics::add(std::span<const std::string> names, const loadgen::Tally& second) {
  for (std::size_t i = 0; i < second.parts.size(); ++i) {
    const loadgen::Ledger& part = second.parts[i];
    OfOperation& metrics = of(names[i]);
    metrics.planned->Increment(static_cast<double>(part.counts().planned));
    for (std::size_t j = 0; j < outcomes.size(); ++j)
      metrics.ended[j]->Increment(static_cast<double>(part.counts().*outcomes[j].count));
    observe(part.corrected().known(), *metrics.latency);
    observe(part.corrected().waits(), *metrics.latency);
    for (QuantileGauges& quantile : metrics.quantiles)
      quantile.set(part.corrected().quantile(quantile.share));
  }
}

void LoadMetrics::finish() { families_->running.Set(0); }

std::string LoadMetrics::text() const {
  std::ostringstream out;
  prometheus::TextSerializer().Serialize(out, families_->registry.Collect());
  return std::move(out).str();
}

}  // namespace hallmark::cli
