#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "reports/load/load_result.hpp"

/// Service level objectives: what a load run has to show to pass.
namespace hallmark::reports {

enum class Relation { less, at_most, more, at_least };

/// One condition, such as `p99<5ms`.
struct Objective {
  std::string text;    ///< as it was given
  std::string metric;  ///< `p50` … `p99.99`, `min`, `mean`, `max`, with `service.` or `lag.` before
                       ///< them or nothing; `errors`, `rate`, `throughput`
  Relation relation = Relation::less;
  double bound = 0;  ///< nanoseconds, a share, or requests per second
};

/// Reads conditions with commas between them. Times of `METRIC` count from the planned send, of
/// `service.METRIC` from the actual one; `lag.METRIC` is between the two. `errors` is the share of
/// the planned requests that failed or timed out, `rate` the achieved share of the rate asked for,
/// `throughput` completed requests per second. Requests without a reply count in the quantiles as
/// longer than they were waited for: an upper bound that this wait reaches is missed.
/// Errors: one line that says what came and what is allowed.
base::Result<std::vector<Objective>> parse_objectives(std::string_view text,
                                                      std::string_view option = "--slo");

/// Judges each of the objectives. Returns the outcomes in their order.
std::vector<ObjectiveOutcome> judge(const std::vector<Objective>& objectives,
                                    const LoadResult& result);

}  // namespace hallmark::reports
