#include "loadgen/results/merge_series.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>

#include "loadgen/results/summary.hpp"

namespace hallmark::loadgen {
namespace {

using reports::LoadResult;
using reports::SecondSample;

/// Runs that overlap in time, the earliest first.
using Simultaneous = std::vector<const LoadResult*>;
/// Samples by where they are, counted in samples.
using Samples = std::map<std::uint64_t, SecondSample>;

std::vector<Simultaneous> simultaneous(std::span<const LoadResult> runs) {
  std::vector<const LoadResult*> sorted;
  for (const LoadResult& run : runs) sorted.push_back(&run);
  std::ranges::stable_sort(sorted, {}, [](const LoadResult* run) { return begin_of(*run); });
  std::vector<Simultaneous> groups;
  std::chrono::sys_time<std::chrono::nanoseconds> until{};
  for (const LoadResult* run : sorted) {
    if (groups.empty() || begin_of(*run) >= until) groups.emplace_back();
    groups.back().push_back(run);
    until = std::max(until, begin_of(*run) + run->header.duration);
  }
  return groups;
}

/// Seconds of a sample. Long runs have samples of 2, 4, 8 … seconds.
std::uint64_t seconds_of(const SecondSample& sample) {
  return std::bit_ceil(static_cast<std::uint64_t>(std::max(1.0, std::ceil(sample.length_s))));
}

std::uint64_t longest_sample(const Simultaneous& runs) {
  std::uint64_t longest = 1;
  for (const LoadResult* run : runs)
    for (const SecondSample& sample : run->series) longest = std::max(longest, seconds_of(sample));
  return longest;
}

/// The samples of one run, each `step` seconds long, `later` seconds after the first run began.
Samples samples_of(const LoadResult& run, std::uint64_t later, std::uint64_t step) {
  Samples samples;
  for (SecondSample sample : run.series) {
    sample.second += later;
    const auto [at, is_new] = samples.try_emplace(sample.second / step, sample);
    if (!is_new) at->second = together(at->second, sample);
  }
  return samples;
}

Samples sum_of_series(const Simultaneous& runs, std::uint64_t step) {
  Samples sum;
  for (const LoadResult* run : runs) {
    const std::chrono::duration<double> later = begin_of(*run) - begin_of(*runs.front());
    for (auto& [where, sample] :
         samples_of(*run, static_cast<std::uint64_t>(std::lround(later.count())), step)) {
      const auto [at, is_new] = sum.try_emplace(where, sample);
      if (!is_new) at->second = side_by_side(at->second, sample);
    }
  }
  return sum;
}

}  // namespace

std::chrono::sys_time<std::chrono::milliseconds> begin_of(const LoadResult& run) {
  return run.run ? run.run->begin : run.header.started;
}

std::vector<SecondSample> merged_series(std::span<const LoadResult> runs) {
  std::vector<SecondSample> series;
  std::uint64_t before = 0;
  for (const Simultaneous& group : simultaneous(runs)) {
    const std::uint64_t step = longest_sample(group);
    std::uint64_t until = before;
    for (auto& [where, sample] : sum_of_series(group, step)) {
      sample.second = before + where * step;
      until = sample.second + step;
      series.push_back(std::move(sample));
    }
    before = until;
  }
  return series;
}

}  // namespace hallmark::loadgen
