#pragma once

#include <string>
#include <string_view>

#include "cli/load/strategy_option.hpp"
#include "loadgen/engine/run.hpp"

namespace CLI {
class App;
}

/// `hallmark load` on a store: what the command needs besides the options of every load. Here the
/// strategies of the model become the limiter that loadgen drives.
namespace hallmark::cli {

class Command;

struct StoreArguments {
  StrategyArguments strategy;
  stores::Table table{};
  std::uint32_t retries = 10;
};

void add_store_options(Command& command, StoreArguments& arguments);

/// The limiter of a strategy, and what its admissions are held to.
std::shared_ptr<const loadgen::store::Limiter> limiter_of(const model::Strategy& strategy);
std::vector<oracle::Bound> bounds_of(const model::Strategy& strategy);

/// `timeout`: of each call of the store. Error: one line that says what came and what is allowed.
base::Result<loadgen::store::StoreOptions> read_store_options(const std::string& target,
                                                              const StoreArguments& arguments,
                                                              std::chrono::nanoseconds timeout);

}  // namespace hallmark::cli
