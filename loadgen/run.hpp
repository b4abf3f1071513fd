#pragma once
#include <chrono>
#include <cstdint>
#include <functional>
#include <iosfwd>
#include <string>

#include "loadgen/requests.hpp"
#include "loadgen/schedule.hpp"
#include "loadgen/target.hpp"
#include "reports/load_result.hpp"

namespace hallmark::loadgen {

/// A load run as a user asks for it.
struct LoadOptions {
  std::string target_text = {};
  Target target;
  Workload workload;
  /// What the report compares the readings of the workload with.
  protocol::Profile profile = protocol::Profile::deployed;
  bool closed = false;
  std::uint32_t depth = 1;  ///< of the closed loop: requests in flight per connection
  double rate = 1000;       ///< of the open loop: requests per second, all connections
  Arrivals arrivals = Arrivals::constant;
  std::uint32_t connections = 1;
  std::uint32_t threads = 1;  ///< at most one per connection is used
  std::chrono::nanoseconds duration = std::chrono::seconds(10);  ///< measured, after the warm-up
  std::chrono::nanoseconds warmup{};
  std::chrono::nanoseconds timeout = std::chrono::seconds(1);
  /// Stop cleanly on SIGINT and SIGTERM; a second one ends the wait for replies, too.
  bool handle_signals = true;
};

/// Where a run tells of itself while it lasts. Both may be empty.
struct LoadOutputs {
  /// Called once a second.
  std::function<void(const reports::SecondSample&)> second;
  /// HdrHistogram interval log: per second and operation the corrected distribution, tagged with
  /// the operation, and the uncorrected one, tagged with it and `.service`.
  std::ostream* interval_log = nullptr;
};

/// Runs to the end. What went wrong is in the result: `run_error` when the target cannot be reached
/// or readied, otherwise errors by kind. Errors here: the workload is not valid.
Result<reports::LoadResult> run_load(const LoadOptions& options, const LoadOutputs& outputs);

}  // namespace hallmark::loadgen
