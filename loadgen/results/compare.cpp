#include "loadgen/results/compare.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "loadgen/arrivals/random_stream.hpp"
#include "loadgen/results/block_mixture.hpp"
#include "loadgen/results/spread.hpp"
#include "loadgen/results/summary.hpp"

namespace hallmark::loadgen {
namespace {

using reports::Difference;
using reports::MetricDifference;

constexpr int resamples = 1000;
/// The probability of each tail. Both together leave an interval of 99 %.
constexpr double tail = 0.005;
/// Fewer blocks say nothing about how much they vary.
constexpr std::size_t least_blocks = 5;
constexpr std::uint64_t bootstrap_seed = 1;

using Values = std::array<reports::Mean, run_metrics.size()>;

void add(Block& sum, const Block& more) {
  sum.latency.add(more.latency);
  sum.completed += more.completed;
  sum.seconds += more.seconds;
}

/// Draws blocks with replacement and puts them together, over and over.
class Bootstrap {
 public:
  Bootstrap(std::span<const Block> blocks, std::uint64_t seed)
      : blocks_(blocks),
        mixture_(blocks),
        draws_(blocks.size()),
        random_(seed, RandomStream::value) {}

  Values draw() {
    clear();
    for (std::size_t i = 0; i < blocks_.size(); ++i)
      take(random_.below_at(drawn_++, blocks_.size()));
    return values();
  }

  Values whole() {
    clear();
    for (std::size_t i = 0; i < blocks_.size(); ++i) take(i);
    return values();
  }

 private:
  void clear() {
    std::ranges::fill(draws_, 0);
    completed_ = 0;
    seconds_ = 0;
  }

  void take(std::size_t block) {
    ++draws_[block];
    completed_ += blocks_[block].completed;
    seconds_ += blocks_[block].seconds;
  }

  Values values() const {
    Values values{};
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = metric(run_metrics[i]);
    return values;
  }

  reports::Mean metric(const RunMetric& metric) const {
    if (metric.is_throughput())
      return seconds_ > 0 ? static_cast<double>(completed_) / seconds_ : 0.0;
    const reports::Quantile quantile = mixture_.quantile(metric.quantile, draws_);
    return {static_cast<double>(quantile.value), quantile.at_least};
  }

  std::span<const Block> blocks_;
  BlockMixture mixture_;
  std::vector<std::uint64_t> draws_;
  base::CounterRandom random_;
  std::uint64_t drawn_ = 0;
  std::uint64_t completed_ = 0;
  double seconds_ = 0;
};

Difference judged(const MetricDifference& found, double least_share) {
  const double least = std::max(found.noise, least_share * std::abs(found.before.value));
  const double change = found.now.value - found.before.value;
  const bool up = !found.low_open && found.low > found.noise && change > least;
  const bool down = !found.high_open && -found.high > found.noise && -change > least;
  const bool known = !found.low_open && !found.high_open;
  if (!up && !down) return known ? Difference::same : Difference::unknown;
  const bool more_is_better = found.metric == "throughput" || found.metric == "capacity";
  return up == more_is_better ? Difference::better : Difference::worse;
}

/// The ends of an interval of 99 %, of differences each of which may be known to one side only.
class DrawnDifferences {
 public:
  void add(const reports::Mean& before, const reports::Mean& now) {
    // The true value is above a lower bound: the change may be larger than with it, or smaller.
    const double change = now.value - before.value;
    low_.push_back(before.at_least ? -HUGE_VAL : change);
    high_.push_back(now.at_least ? HUGE_VAL : change);
  }

  /// `half`: the interval reaches at least so far from the whole difference.
  void conclude(double half, MetricDifference& found) {
    const double change = found.now.value - found.before.value;
    const double low = at(low_, tail);
    const double high = at(high_, 1 - tail);
    found.low_open = !std::isfinite(low) || found.before.at_least;
    found.high_open = !std::isfinite(high) || found.now.at_least;
    found.low = found.low_open ? 0 : std::min(low, change - half);
    found.high = found.high_open ? 0 : std::max(high, change + half);
  }

 private:
  static double at(std::vector<double>& values, double share) {
    std::ranges::sort(values);
    return values[static_cast<std::size_t>(share * static_cast<double>(values.size() - 1))];
  }

  std::vector<double> low_, high_;
};

/// The values of a metric in each run of a side; empty where they are not known.
std::span<const reports::Mean> runs_of(const ComparedSide& side, const char* metric) {
  const auto found = std::ranges::find(side.spread, metric, &reports::MetricSpread::metric);
  return found == side.spread.end() ? std::span<const reports::Mean>()
                                    : std::span<const reports::Mean>(found->runs);
}

/// Between the runs that a result is of, which may be one.
std::vector<reports::MetricSpread> spread_within(const reports::LoadResult& result) {
  return result.spread.empty() ? spread_of({&result, 1}) : result.spread;
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

std::vector<MetricDifference> differences(const ComparedSide& before, const ComparedSide& now,
                                          double least_share,
                                          const std::vector<MetricDifference>& noise,
                                          std::uint64_t seed) {
  Bootstrap from(before.blocks, seed);
  Bootstrap to(now.blocks, seed + 1);
  const Values first = from.whole();
  const Values second = to.whole();
  std::array<DrawnDifferences, run_metrics.size()> drawn;
  for (int i = 0; i < resamples; ++i) {
    const Values a = from.draw();
    const Values b = to.draw();
    for (std::size_t m = 0; m < drawn.size(); ++m) drawn[m].add(a[m], b[m]);
  }
  const bool enough = before.blocks.size() >= least_blocks && now.blocks.size() >= least_blocks;
  std::vector<MetricDifference> found;
  for (std::size_t m = 0; m < drawn.size(); ++m) {
    const char* const name = run_metrics[m].name;
    MetricDifference& one = found.emplace_back();
    one.metric = name;
    one.before = first[m];
    one.now = second[m];
    for (const reports::Mean& run : runs_of(before, name)) keep_mark(one.before, run);
    for (const reports::Mean& run : runs_of(now, name)) keep_mark(one.now, run);
    drawn[m].conclude(welch_half_interval(runs_of(before, name), runs_of(now, name), tail), one);
    for (const MetricDifference& quiet : noise) {
      if (quiet.metric == one.metric) one.noise = std::abs(quiet.now.value - quiet.before.value);
    }
    one.difference = enough ? judged(one, least_share) : Difference::unknown;
  }
  return found;
}

reports::LoadComparison compare(const reports::Knee& before, const reports::Knee& now,
                                double least_share) {
  reports::LoadComparison comparison;
  comparison.before = before.target;
  comparison.now = now.target;
  MetricDifference& capacity = comparison.metrics.emplace_back();
  capacity.metric = "capacity";
  capacity.before = before.rate;
  capacity.now = now.rate;
  capacity.low = now.low - before.high;
  capacity.high = now.high - before.low;
  capacity.difference = judged(capacity, least_share);
  if (before.objectives != now.objectives)
    comparison.inconclusive =
        fmt::format("searches for other objectives: {} and {}", before.objectives, now.objectives);
  for (const reports::Knee* one : {&before, &now}) {
    if (comparison.inconclusive.empty() &&
        reports::exit_code(*one) == reports::ExitCode::indeterminate)
      comparison.inconclusive = fmt::format("the search of {} is inconclusive", one->target);
  }
  return comparison;
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
  comparison.metrics = differences({*a, spread_within(before)}, {*b, spread_within(now)},
                                   least_share, {}, bootstrap_seed);
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
