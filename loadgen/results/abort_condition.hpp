#pragma once
#include <optional>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "reports/load/slo.hpp"

namespace hallmark::loadgen {

/// Conditions that end a run early, such as `errors>10%`.
class AbortCondition {
 public:
  /// Reads conditions with commas between them: of errors, throughput and the quantiles from the
  /// planned send. Error: one line.
  static base::Result<AbortCondition> parse(std::string_view text);

  /// Returns the first condition that is so in a second of the run, in one line; nothing: the run
  /// goes on. All requests without the right reply are errors.
  std::optional<std::string> reached(const reports::SecondSample& second) const;

 private:
  explicit AbortCondition(std::vector<reports::Objective> conditions)
      : conditions_(std::move(conditions)) {}

  std::vector<reports::Objective> conditions_;
};

}  // namespace hallmark::loadgen
