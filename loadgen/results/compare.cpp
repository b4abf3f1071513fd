#include "loadgen/results/compare.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "loadgen/arrivals/random_stream.hpp"
#include "loadgen/results/summary.hpp"

namespace hallmark::loadgen {
namespace {

using reports::Difference;
using reports::MetricDifference;

constexpr int resamples = 1000;
/// Of both sides together: an interval of 99 %.
constexpr double tail = 0.005;
/// Fewer blocks say nothing about how much they vary.
constexpr std::size_t least_blocks = 5;
constexpr std::uint64_t bootstrap_seed = 1;

struct Metric {
  const char* name;
  double quantile;  ///< of the latency; below 0: the throughput
};
constexpr std::array metrics{Metric{"throughput", -1}, Metric{"p50", 0.5}, Metric{"p90", 0.9},
                             Metric{"p99", 0.99}, Metric{"p99.9", 0.999}};
using Values = std::array<reports::Mean, metrics.size()>;

void add(Block& sum, const Block& more) {
  sum.latency.add(more.latency);
  sum.completed += more.completed;
  sum.seconds += more.seconds;
}

reports::Mean metric_of(const Block& block, const Metric& metric) {
  if (metric.quantile < 0)
    return block.seconds > 0 ? static_cast<double>(block.completed) / block.seconds : 0.0;
  const reports::Quantile quantile = block.latency.quantile(metric.quantile);
  return {static_cast<double>(quantile.value), quantile.at_least};
}

Values values_of(const Block& block) {
  Values values{};
  for (std::size_t i = 0; i < metrics.size(); ++i) values[i] = metric_of(block, metrics[i]);
  return values;
}

/// Draws blocks with replacement and puts them together, over and over.
class Bootstrap {
 public:
  Bootstrap(const std::vector<Block>& blocks, std::uint64_t seed)
      : blocks_(blocks), random_(seed, RandomStream::value) {}

  Values draw() {
    clear();
    for (std::size_t i = 0; i < blocks_.size(); ++i)
      add(sum_, blocks_[random_.below_at(drawn_++, blocks_.size())]);
    return values_of(sum_);
  }

  Values whole() {
    clear();
    for (const Block& block : blocks_) add(sum_, block);
    return values_of(sum_);
  }

 private:
  /// Its memory is used again.
  void clear() {
    sum_.latency.reset();
    sum_.completed = 0;
    sum_.seconds = 0;
  }

  const std::vector<Block>& blocks_;
  base::CounterRandom random_;
  std::uint64_t drawn_ = 0;
  Block sum_;
};

Difference judged(const MetricDifference& found, double least_share) {
  const double least = std::max(found.noise, least_share * std::abs(found.before.value));
  const double change = found.now.value - found.before.value;
  // The true value is above a lower bound: the change may be larger than with it, or smaller.
  const bool up =
      !found.before.at_least && found.low > 0 && change > least && found.low > found.noise;
  const bool down =
      !found.now.at_least && found.high < 0 && -change > least && -found.high > found.noise;
  const bool known = !found.before.at_least && !found.now.at_least;
  if (!up && !down) return known ? Difference::same : Difference::unknown;
  const bool more_is_better = found.metric == "throughput";
  return up == more_is_better ? Difference::better : Difference::worse;
}

}  // namespace

base::Result<std::vector<Block>> blocks_of(const reports::LoadResult& run, std::size_t most) {
  std::vector<Block> seconds;
  for (const reports::SecondSample& sample : run.series) {
    if (sample.histogram.empty() && sample.completed != 0)
      return base::Error{fmt::format(
          "{}: its seconds have no histograms: not written by this version", run.header.target)};
    auto latency = latency_of(sample);
    if (!latency) return latency.error();
    if (latency->empty()) continue;
    seconds.push_back({std::move(*latency), sample.completed - sample.drained, sample.length_s});
  }
  // The last one, in which what was planned is waited for, is shorter.
  const auto partial = [](const Block& block) { return block.seconds < 0.5; };
  if (!std::ranges::all_of(seconds, partial)) std::erase_if(seconds, partial);
  const std::size_t together = (seconds.size() + most - 1) / std::max<std::size_t>(most, 1);
  std::vector<Block> blocks;
  for (std::size_t i = 0; i < seconds.size(); ++i) {
    if (i % together == 0) blocks.emplace_back();
    add(blocks.back(), seconds[i]);
  }
  return blocks;
}

std::vector<MetricDifference> differences(const std::vector<Block>& before,
                                          const std::vector<Block>& now, double least_share,
                                          const std::vector<MetricDifference>& noise,
                                          std::uint64_t seed) {
  Bootstrap from(before, seed);
  Bootstrap to(now, seed + 1);
  const Values first = from.whole();
  const Values second = to.whole();
  std::array<std::vector<double>, metrics.size()> drawn;
  for (int i = 0; i < resamples; ++i) {
    const Values a = from.draw();
    const Values b = to.draw();
    for (std::size_t m = 0; m < metrics.size(); ++m) drawn[m].push_back(b[m].value - a[m].value);
  }
  std::vector<MetricDifference> found;
  for (std::size_t m = 0; m < metrics.size(); ++m) {
    std::ranges::sort(drawn[m]);
    const auto at = [&](double share) {
      return drawn[m][static_cast<std::size_t>(share * (resamples - 1))];
    };
    MetricDifference& one = found.emplace_back();
    one.metric = metrics[m].name;
    one.before = first[m];
    one.now = second[m];
    one.low = at(tail);
    one.high = at(1 - tail);
    for (const MetricDifference& quiet : noise) {
      if (quiet.metric == one.metric) one.noise = std::abs(quiet.now.value - quiet.before.value);
    }
    const bool enough = before.size() >= least_blocks && now.size() >= least_blocks;
    one.difference = enough ? judged(one, least_share) : Difference::unknown;
  }
  return found;
}

base::Result<reports::LoadComparison> compare(const reports::LoadResult& before,
                                              const reports::LoadResult& now, double least_share) {
  const auto a = blocks_of(before);
  if (!a) return a.error();
  const auto b = blocks_of(now);
  if (!b) return b.error();
  reports::LoadComparison comparison;
  comparison.before = before.header.target;
  comparison.now = now.header.target;
  comparison.blocks_before = a->size();
  comparison.blocks_now = b->size();
  comparison.metrics = differences(*a, *b, least_share, {}, bootstrap_seed);
  for (const auto* run : {&before, &now}) {
    if (comparison.inconclusive.empty()) comparison.inconclusive = run->inconclusive;
  }
  if (comparison.inconclusive.empty() && std::min(a->size(), b->size()) < least_blocks)
    comparison.inconclusive =
        fmt::format("{} and {} seconds; at least {} of each say how much they vary", a->size(),
                    b->size(), least_blocks);
  return comparison;
}

}  // namespace hallmark::loadgen
