#include "loadgen/results/sample_series.hpp"

#include "loadgen/results/summary.hpp"

namespace hallmark::loadgen {

void SampleSeries::add(reports::SecondSample sample) {
  if (!samples_.empty() &&
      samples_.back().second / seconds_per_sample_ == sample.second / seconds_per_sample_) {
    samples_.back() = together(samples_.back(), sample);
    return;
  }
  samples_.push_back(std::move(sample));
  if (samples_.size() <= most_samples) return;
  seconds_per_sample_ *= 2;
  std::vector<reports::SecondSample> all;
  all.swap(samples_);
  for (reports::SecondSample& one : all) add(std::move(one));
}

}  // namespace hallmark::loadgen
