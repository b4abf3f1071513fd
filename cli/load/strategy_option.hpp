#pragma once

#include <string>
#include <string_view>

#include "base/error.hpp"
#include "reference/model/states/strategy.hpp"

namespace hallmark::cli {

/// A strategy with its configuration, as it was typed.
struct StrategyArguments {
  std::string strategy;
  std::string primary, secondary;  ///< of a composite
};

/// Reads `token-bucket:burst=10,rate=5`, `leaky-bucket:capacity=10,rate=5`, `gcra:burst=10,rate=5`
/// (rates are per second), `fixed-window:default=100/1m,hourly=1000/1h` (quotas: name, limit,
/// window), or `composite`, whose parts are `primary` and `secondary`. Error: one line that says
/// what came and what is expected.
base::Result<model::Strategy> read_strategy(const StrategyArguments& arguments);

}  // namespace hallmark::cli
