#pragma once
#include <chrono>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "cli/metrics/load_metrics.hpp"
#include "cli/metrics/metrics_server.hpp"

namespace hallmark::cli {

class Command;

/// The places to which the metrics of a run go, as they were typed.
struct MetricsArguments {
  std::string address;        ///< of --metrics; empty: they are not served
  std::string linger = "0s";  ///< the time for which the last values are served
  std::string push;           ///< the address of a gateway; empty: they are not pushed
};

void add_metrics_options(Command& command, MetricsArguments& arguments);

/// Serves the metrics of a load run, and pushes the last ones.
class MetricsPublication {
 public:
  /// Errors, one line: an address or a duration that is none.
  static base::Result<std::unique_ptr<MetricsPublication>> open(const MetricsArguments& arguments);

  /// False: nobody asked for metrics.
  bool wanted() const { return server_ != nullptr || !push_.empty(); }

  /// A run, or a series of runs, begins.
  void begin(const MetricLabels& labels);
  /// Counts one more second, as LoadMetrics does.
  void add(std::span<const std::string> names, const loadgen::Tally& second);
  /// The run is over. Pushes the metrics, and serves them until the time to linger is over or the
  /// program is interrupted. Error: one line, as of `push_metrics`.
  base::Result<void> finish();

 private:
  MetricsPublication() = default;
  std::string text();
  void linger() const;

  std::mutex mutex_;  ///< of `metrics_`, which the server's thread reads
  std::unique_ptr<LoadMetrics> metrics_;
  MetricLabels labels_;
  std::string push_;
  std::chrono::nanoseconds linger_{};
  std::unique_ptr<MetricsServer> server_;  ///< is last: its thread calls `text`
};

}  // namespace hallmark::cli
