#pragma once
#include <functional>
#include <string>

#include "base/error.hpp"
#include "loadgen/engine/run.hpp"
#include "reports/load/load_result.hpp"

namespace hallmark::cli {

class Command;

/// The process that `hallmark load` is: by itself, or one of several that are one run.
struct LoadProcess {
  /// Errors: one line, why the run is not possible.
  std::function<base::Result<reports::LoadResult>(const loadgen::LoadOptions&,
                                                  const loadgen::LoadOutputs&)>
      run = loadgen::run_load;
  bool reports = true;  ///< false: another process shows and writes the result
  /// Names the file for the result of a process that does not report, used if nobody else can write
  /// one: the result's `run_error` says so. The argument is --json, or empty.
  std::function<std::string(const std::string& json)> orphan_file = {};
  bool alone = true;  ///< false: series of runs are refused
  /// Adds options of its own to those of the command; may be empty.
  std::function<void(Command&)> add_options = {};
};

}  // namespace hallmark::cli
