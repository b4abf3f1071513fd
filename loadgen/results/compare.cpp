#include "loadgen/results/compare.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "loadgen/arrivals/random_stream.hpp"
#include "loadgen/histogram/hdr_codec.hpp"

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
using Values = std::array<double, metrics.size()>;

Values values_of(const Histogram& latency, double seconds) {
  Values values{};
  for (std::size_t i = 0; i < metrics.size(); ++i) {
    values[i] = metrics[i].quantile < 0
                    ? (seconds > 0 ? static_cast<double>(latency.count()) / seconds : 0)
                    : static_cast<double>(latency.quantile(metrics[i].quantile));
  }
  return values;
}

/// Draws blocks with replacement and puts them together, over and over.
class Bootstrap {
 public:
  Bootstrap(const std::vector<Block>& blocks, std::uint64_t seed)
      : blocks_(blocks), random_(seed, RandomStream::value) {}

  Values draw() {
    sum_.reset();
    double seconds = 0;
    for (std::size_t i = 0; i < blocks_.size(); ++i) {
      const Block& block = blocks_[random_.below_at(drawn_++, blocks_.size())];
      sum_.add(block.latency);
      seconds += block.seconds;
    }
    return values_of(sum_, seconds);
  }

  Values whole() {
    sum_.reset();
    double seconds = 0;
    for (const Block& block : blocks_) {
      sum_.add(block.latency);
      seconds += block.seconds;
    }
    return values_of(sum_, seconds);
  }

 private:
  const std::vector<Block>& blocks_;
  base::CounterRandom random_;
  std::uint64_t drawn_ = 0;
  Histogram sum_;
};

Difference judged(const MetricDifference& found, double least_share) {
  const double least = std::max(found.noise, least_share * std::abs(found.before));
  const bool up = found.low > 0 && found.now - found.before > least && found.low > found.noise;
  const bool down = found.high < 0 && found.before - found.now > least && -found.high > found.noise;
  if (!up && !down) return Difference::same;
  const bool more_is_better = found.metric == "throughput";
  return up == more_is_better ? Difference::better : Difference::worse;
}

}  // namespace

base::Result<std::vector<Block>> blocks_of(const reports::LoadResult& run, std::size_t most) {
  std::vector<Block> seconds;
  for (const reports::SecondSample& sample : run.series) {
    if (sample.histogram.empty()) {
      if (sample.completed == 0) continue;
      return base::Error{fmt::format(
          "{}: its seconds have no histograms: not written by this version", run.header.target)};
    }
    auto histogram = decode_compressed_base64(sample.histogram);
    if (!histogram) return histogram.error();
    seconds.push_back({std::move(*histogram), sample.length_s});
  }
  // The last one, in which what was planned is waited for, is shorter.
  const auto partial = [](const Block& block) { return block.seconds < 0.5; };
  if (!std::ranges::all_of(seconds, partial)) std::erase_if(seconds, partial);
  const std::size_t together = (seconds.size() + most - 1) / std::max<std::size_t>(most, 1);
  std::vector<Block> blocks;
  for (std::size_t i = 0; i < seconds.size(); ++i) {
    if (i % together == 0) blocks.emplace_back();
    blocks.back().latency.add(seconds[i].latency);
    blocks.back().seconds += seconds[i].seconds;
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
    for (std::size_t m = 0; m < metrics.size(); ++m) drawn[m].push_back(b[m] - a[m]);
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
      if (quiet.metric == one.metric) one.noise = std::abs(quiet.now - quiet.before);
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
