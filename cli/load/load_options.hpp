#pragma once
#include <optional>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "cli/decode/format_options.hpp"
#include "cli/load/client_options.hpp"
#include "cli/load/store_load.hpp"
#include "cli/metrics/metrics_publication.hpp"
#include "cli/options/verbosity.hpp"
#include "loadgen/engine/run.hpp"
#include "reports/load/slo.hpp"

namespace hallmark::cli {

class Command;

/// The command line as it was typed; everything is checked when the command runs.
struct LoadArguments {
  std::string target;
  FormatArguments format{.dialect = std::string(automatic), .profile = std::string(automatic)};
  StoreArguments store;
  ClientArguments client = {};
  std::string mix = {};  ///< empty: the usual one of the dialect
  std::string arrivals = "constant";
  std::string duration = {};  ///< empty: the usual one, or that of a replay
  std::string warmup = "0s";
  std::string timeout = "1s";
  std::string lag_bound = "1ms";
  std::uint64_t requests_per_connection = 0;
  double churn = 0;
  bool stages = false;
  std::string rate = "1k";
  std::string replay = {};
  std::uint32_t connections = 16;
  std::uint32_t threads = 1;
  std::string share = {};   ///< of several processes
  double start_at = 0;      ///< of all of them, seconds since 1970
  std::string run_id = {};  ///< empty: one is derived
  std::uint32_t depth = 1;
  bool closed = false;
  std::uint32_t keys = 10'000;
  std::optional<std::string> key_prefix = {};  ///< nothing: the usual one
  std::string value_sizes = "64";
  std::string key_choice = "uniform";
  std::string keys_from = {};
  std::uint32_t subscribers = 0;
  std::uint32_t watched = 16;
  std::vector<std::string> key_patterns;
  std::string rules;
  std::uint64_t receive_buffer = std::uint64_t{4} << 20;
  std::uint64_t seed = 1;
  Verbosity verbosity;
  std::string live;  ///< the address of the live page; empty: none
  std::string slo;
  std::string json;
  std::string html;
  std::string hlog;
  std::string csv;
  MetricsArguments metrics;
  std::string abort_on;
  unsigned repeat = 1;
  std::string search;
  std::string confirm = "10s";  ///< of the search, the run at the rate that was found
  std::string versus;
  unsigned rounds = 3;
  double at_least = 2;  ///< percent
  std::string workload;
};

/// The options of `hallmark load`, but for those that say what is done with its results.
void add_load_options(Command& command, LoadArguments& arguments);

/// Errors: one line.
base::Result<loadgen::LoadOptions> read_load_options(const LoadArguments& arguments);

/// `text`: of that option. Errors: one line.
base::Result<std::vector<reports::Objective>> read_objectives(std::string_view option,
                                                              std::string_view text,
                                                              const LoadArguments& arguments);

}  // namespace hallmark::cli
