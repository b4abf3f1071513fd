#pragma once
#include <memory>
#include <span>
#include <string>

#include "loadgen/results/tally.hpp"

namespace hallmark::cli {

/// Labels that all metrics of a load run have.
struct MetricLabels {
  std::string target;
  std::string dialect;
  std::string run;
  std::uint64_t rank = 0;
};

/// The metrics of a load run for Prometheus, by operation.
class LoadMetrics {
 public:
  explicit LoadMetrics(const MetricLabels& labels);
  ~LoadMetrics();

  /// Counts one more second. `names`: of the parts of the tally.
  void add(std::span<const std::string> names, const loadgen::Tally& second);
  /// The run is over: these are its last values.
  void finish();

  /// The metrics in the text format of Prometheus, version 0.0.4. Any thread may call it.
  std::string text() const;

 private:
  struct Families;
  struct OfOperation;
  OfOperation& of(const std::string& operation);

  std::unique_ptr<Families> families_;
};

}  // namespace hallmark::cli
