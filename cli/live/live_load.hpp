#pragma once
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cli/live/live_source.hpp"
#include "loadgen/client/process.hpp"
#include "loadgen/engine/run.hpp"
#include "loadgen/results/sample_series.hpp"
#include "loadgen/results/tally.hpp"

namespace hallmark::cli {

/// A load run for its live page: what was measured up to now, as the result of a run that is over
/// would say it. Of a series of runs, the present one.
class LiveLoad final : public LiveSource {
 public:
  /// A run begins.
  void begin(const loadgen::LoadOptions& options);
  /// Adds one more second. `names`: of the parts of the tally.
  void add(const reports::SecondSample& sample);
  void add(std::span<const std::string> names, const loadgen::Tally& second);

  std::optional<std::string> news(LivePosition& seen) override;

 private:
  using Clock = std::chrono::steady_clock;
  using Samples = std::vector<reports::SecondSample>;

  std::string news_of(Samples samples, bool with_totals);
  reports::LoadResult totals() const;
  std::string progress() const;

  std::mutex mutex_;
  std::uint64_t runs_ = 0;
  std::chrono::nanoseconds planned_{};  ///< the length of the measured part
  std::uint64_t version_ = 0;
  double measured_s_ = 0;
  reports::LoadResult described_;  ///< the result without what is measured
  loadgen::CpuTime cpu_before_;
  std::vector<std::string> names_;
  std::optional<loadgen::Tally> total_;
  loadgen::SampleSeries series_;
  Clock::time_point totals_due_;
};

}  // namespace hallmark::cli
