#pragma once
#include <chrono>
#include <deque>
#include <string>
#include <vector>

#include "loadgen/results/tally.hpp"
#include "reports/load/load_result.hpp"
#include "reports/terminal.hpp"

namespace hallmark::cli {

/// The last minute of a load run as a few lines for a terminal.
class LoadProgress {
 public:
  /// `planned`: the length of the measured part. `open_loop`: requests have a plan to be late for.
  LoadProgress(std::chrono::nanoseconds planned, bool open_loop)
      : planned_(planned), open_loop_(open_loop) {}

  /// Adds one more second; both are of the same one.
  void add(const reports::SecondSample& sample, const loadgen::Tally& second);

  /// The first line says it all where there is room for one only.
  std::vector<std::string> lines(std::size_t columns) const;

 private:
  struct Second {
    reports::SecondSample sample;
    std::uint64_t planned = 0;  ///< requests
    std::uint64_t lag_p99 = 0;  ///< ns
  };
  std::string time_line(std::size_t columns) const;
  std::vector<std::string> rate_lines(std::size_t columns) const;
  template <class Value>
  std::string curve(std::string_view name, const std::string& now, std::size_t columns,
                    Value value) const;

  std::chrono::nanoseconds planned_;
  bool open_loop_;
  std::uint64_t errors_ = 0;  ///< of the whole run
  std::deque<Second> seconds_;
};

/// One second of a run, as --verbose prints it.
std::string second_in_words(const reports::SecondSample& sample);

}  // namespace hallmark::cli
