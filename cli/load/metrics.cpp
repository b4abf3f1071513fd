#include "cli/load/metrics.hpp"

#include <fmt/format.h>
#include <prometheus/counter.h>
#include <prometheus/exposer.h>
#include <prometheus/gauge.h>
#include <prometheus/histogram.h>
#include <prometheus/registry.h>

#include "base/nanoseconds.hpp"
#include "loadgen/results/summary.hpp"

namespace hallmark::cli {
namespace {

/// Upper edges, seconds.
const prometheus::Histogram::BucketBoundaries edges{
    10e-6, 25e-6, 50e-6, 100e-6, 250e-6, 500e-6, 1e-3, 2.5e-3, 5e-3, 10e-3,
    25e-3, 50e-3, 0.1,   0.25,   0.5,    1,      2.5,  5,      10};

void observe(const loadgen::Histogram& latency, prometheus::Histogram& observed) {
  std::vector<double> counts(edges.size() + 1);
  double sum = 0;
  for (std::size_t i = 0; i < latency.used_length(); ++i) {
    const auto count = static_cast<double>(latency.counts()[i]);
    if (count == 0) continue;
    const double value =
        static_cast<double>(loadgen::Histogram::lowest_value_at(i)) / base::ns_per_second;
    const auto above = std::ranges::lower_bound(edges, value);
    counts[static_cast<std::size_t>(above - edges.begin())] += count;
    sum += value * count;
  }
  observed.ObserveMultiple(counts, sum);
}

}  // namespace

struct Metrics::Parts {
  explicit Parts(const std::string& address) : exposer(address, 1) {
    exposer.RegisterCollectable(registry);
  }

  std::shared_ptr<prometheus::Registry> registry = std::make_shared<prometheus::Registry>();
  prometheus::Family<prometheus::Counter>& requests =
      prometheus::BuildCounter()
          .Name("hallmark_load_requests_total")
          .Help("Requests of the measured part, by what became of them")
          .Register(*registry);
  prometheus::Counter& sent = requests.Add({{"outcome", "sent"}});
  prometheus::Counter& completed = requests.Add({{"outcome", "completed"}});
  prometheus::Counter& errors = requests.Add({{"outcome", "error"}});
  prometheus::Histogram& latency =
      prometheus::BuildHistogram()
          .Name("hallmark_load_latency_seconds")
          .Help(
              "From the planned send to the reply; of a closed loop from the actual one. Requests "
              "without a reply count with the time they were waited for, the least they took")
          .Register(*registry)
          .Add({}, edges);
  prometheus::Family<prometheus::Gauge>& quantiles =
      prometheus::BuildGauge()
          .Name("hallmark_load_last_second_latency_seconds")
          .Help(
              "Quantiles of the last second; lower bounds where "
              "hallmark_load_last_second_latency_at_least is 1")
          .Register(*registry);
  prometheus::Gauge& p50 = quantiles.Add({{"quantile", "0.5"}});
  prometheus::Gauge& p99 = quantiles.Add({{"quantile", "0.99"}});
  prometheus::Gauge& max = quantiles.Add({{"quantile", "1"}});
  prometheus::Family<prometheus::Gauge>& bounds =
      prometheus::BuildGauge()
          .Name("hallmark_load_last_second_latency_at_least")
          .Help(
              "1 where the quantile of the last second is a lower bound, since requests without "
              "a reply lie there")
          .Register(*registry);
  prometheus::Gauge& p50_at_least = bounds.Add({{"quantile", "0.5"}});
  prometheus::Gauge& p99_at_least = bounds.Add({{"quantile", "0.99"}});
  prometheus::Gauge& max_at_least = bounds.Add({{"quantile", "1"}});
  prometheus::Exposer exposer;
};

Metrics::Metrics(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
Metrics::~Metrics() = default;

base::Result<std::unique_ptr<Metrics>> Metrics::serve(const std::string& address) {
  try {
    return std::unique_ptr<Metrics>(new Metrics(std::make_unique<Parts>(address)));
  } catch (const std::exception& error) {
    return base::Error{fmt::format("--metrics {}: {}; allowed: HOST:PORT where nobody listens",
                                   address, error.what())};
  }
}

void Metrics::add(const reports::SecondSample& sample) {
  parts_->sent.Increment(static_cast<double>(sample.sent));
  parts_->completed.Increment(static_cast<double>(sample.completed));
  parts_->errors.Increment(static_cast<double>(sample.errors));
  const auto set = [](const reports::Quantile& quantile, prometheus::Gauge& value,
                      prometheus::Gauge& at_least) {
    value.Set(static_cast<double>(quantile.value) / base::ns_per_second);
    at_least.Set(quantile.at_least ? 1 : 0);
  };
  set(sample.p50, parts_->p50, parts_->p50_at_least);
  set(sample.p99, parts_->p99, parts_->p99_at_least);
  set(sample.max, parts_->max, parts_->max_at_least);
  const auto latency = loadgen::latency_of(sample);
  if (!latency) return;
  observe(latency->known(), parts_->latency);
  observe(latency->waits(), parts_->latency);
}

}  // namespace hallmark::cli
