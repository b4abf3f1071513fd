#pragma once

#include <string>
#include <string_view>

#include "cli/strategy_option.hpp"
#include "loadgen/run.hpp"

namespace CLI {
class App;
}

/// `hallmark load` on a store: what the command needs besides the options of every load. Here the
/// strategies of the model become the limiter that loadgen drives.
namespace hallmark::cli {

struct StoreArguments {
  StrategyArguments strategy;
  stores::Table table{};
  std::uint32_t retries = 10;
};

/// Whether the target is a store: `redis://…`, `redis+unix://…`, `postgres://…`.
bool is_store(std::string_view target);

void add_store_options(CLI::App& command, StoreArguments& arguments);

/// The limiter of a strategy, and what its admissions are held to.
std::shared_ptr<const loadgen::store::Limiter> limiter_of(const model::Strategy& strategy);
std::vector<oracle::Bound> bounds_of(const model::Strategy& strategy);

/// `timeout`: of each call of the store. Error: one line that says what came and what is allowed.
protocol::Result<loadgen::store::StoreOptions> read_store_options(const std::string& target,
                                                                  const StoreArguments& arguments,
                                                                  std::chrono::nanoseconds timeout);

}  // namespace hallmark::cli
