#pragma once
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "loadgen/engine/run.hpp"
#include "loadgen/histogram/hdr_log.hpp"
#include "loadgen/results/sample_series.hpp"
#include "loadgen/results/tally_pool.hpp"

namespace hallmark::loadgen {

/// Puts the reports of all workers together: into one total, and second by second, once every
/// worker has reported that second, into the outputs.
class SecondLog {
 public:
  SecondLog(std::vector<std::string> names, TallyPool& pool, const LoadOutputs& outputs,
            bool open_loop, std::uint32_t workers, std::chrono::system_clock::time_point start);

  /// Takes what one worker counted in a second (-1: the warm-up, which is not part of the result).
  /// If `last` is set, this is the worker's last report: all that it counted since that second
  /// began.
  void report(std::int64_t second, std::unique_ptr<Tally> tally, bool last);
  /// One worker has said everything: no second waits for it any more.
  void lose_worker();
  /// No more reports will come. `seconds`: how long requests were planned in the measured part.
  void close(double seconds);

  const Tally& total() const noexcept { return total_; }
  const std::vector<reports::SecondSample>& samples() const noexcept { return series_.samples(); }

 private:
  struct Open {
    std::unique_ptr<Tally> sum;
    std::uint32_t whole = 0;  ///< workers whose report covers just this second
  };

  void write_if_whole(std::int64_t second);
  void write(std::uint64_t second, double length, const Tally& tally);

  std::vector<std::string> names_;  ///< of the parts of the mix
  TallyPool& pool_;
  const LoadOutputs& outputs_;
  bool open_loop_;
  std::uint32_t workers_;
  std::optional<IntervalLogWriter> log_;
  std::map<std::int64_t, Open> open_;
  Tally total_;
  SampleSeries series_;
};

}  // namespace hallmark::loadgen
