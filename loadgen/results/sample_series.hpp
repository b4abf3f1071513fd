#pragma once
#include <vector>

#include "reports/load/load_result.hpp"

namespace hallmark::loadgen {

/// The seconds of a run, in their order. So many samples are kept that memory does not grow with
/// the length of the run: when there are more, two and two become one, which is twice as long.
class SampleSeries {
 public:
  static constexpr std::size_t most_samples = 1'800;

  void add(reports::SecondSample sample);

  const std::vector<reports::SecondSample>& samples() const noexcept { return samples_; }
  /// Doubles whenever two and two become one.
  std::uint64_t seconds_per_sample() const noexcept { return seconds_per_sample_; }

 private:
  std::uint64_t seconds_per_sample_ = 1;
  std::vector<reports::SecondSample> samples_;
};

}  // namespace hallmark::loadgen
