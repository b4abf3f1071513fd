#include "loadgen/results/spread.hpp"

#include <algorithm>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>

namespace hallmark::loadgen {
namespace {

using reports::Mean;

constexpr double spread_tail = 0.025;

Mean value_of(const reports::LoadResult& run, const RunMetric& metric) {
  const reports::Quantiles& q = run.corrected.quantiles;
  const auto told = [](const reports::Quantile& one) {
    Mean value(static_cast<double>(one.value), one.at_least);
    value.by_client = one.by_client;
    value.client_part = static_cast<double>(one.client_part);
    return value;
  };
  if (metric.is_throughput()) return run.rate_achieved;
  if (metric.quantile == 0.5) return told(q.p50);
  if (metric.quantile == 0.9) return told(q.p90);
  if (metric.quantile == 0.99) return told(q.p99);
  return told(q.p999);
}

/// Mean, and variance of that mean.
struct Moments {
  double mean = 0;
  double variance = 0;
  double freedom = 0;
};

Moments moments_of(std::span<const Mean> values) {
  const auto n = static_cast<double>(values.size());
  Moments moments;
  for (const Mean& one : values) moments.mean += one.value / n;
  for (const Mean& one : values)
    moments.variance += std::pow(one.value - moments.mean, 2) / (n - 1) / n;
  moments.freedom = n - 1;
  return moments;
}

double student(double freedom, double tail) {
  return boost::math::quantile(boost::math::students_t(freedom), 1 - tail);
}

}  // namespace

std::vector<reports::MetricSpread> spread_of(std::span<const reports::LoadResult> runs) {
  std::vector<reports::MetricSpread> spread;
  for (const RunMetric& metric : run_metrics) {
    reports::MetricSpread& one = spread.emplace_back();
    one.metric = metric.name;
    for (const reports::LoadResult& run : runs) one.runs.push_back(value_of(run, metric));
    const bool known = std::ranges::none_of(one.runs, &Mean::at_least);
    if (!known || runs.size() < 2) continue;
    const Moments moments = moments_of(one.runs);
    const double half = student(moments.freedom, spread_tail) * std::sqrt(moments.variance);
    one.low = std::max(0.0, moments.mean - half);
    one.high = moments.mean + half;
  }
  return spread;
}

double welch_half_interval(std::span<const Mean> a, std::span<const Mean> b, double tail) {
  if (a.size() < 2 || b.size() < 2) return 0;
  const Moments first = moments_of(a);
  const Moments second = moments_of(b);
  const double variance = first.variance + second.variance;
  if (variance <= 0) return 0;
  // Welch and Satterthwaite's degrees of freedom.
  const double freedom = variance * variance /
                         (first.variance * first.variance / first.freedom +
                          second.variance * second.variance / second.freedom);
  return student(freedom, tail) * std::sqrt(variance);
}

}  // namespace hallmark::loadgen
