#pragma once
#include <chrono>
#include <span>
#include <string>
#include <vector>

#include "cli/options/verbosity.hpp"
#include "conformance/engine/scheduler.hpp"
#include "reports/terminal.hpp"

namespace hallmark::cli {

/// A certification on a terminal while it lasts; with --verbose a line for each case.
class CertifyProgress {
 public:
  explicit CertifyProgress(const Verbosity& verbosity)
      : verbose_(verbosity.verbose), lines_(stderr, !verbosity.verbose && !verbosity.quiet) {}

  /// Adds cases that were judged.
  void add(std::span<const reports::CaseResult> cases);
  void show(const conformance::Progress& progress);

 private:
  bool verbose_;
  std::chrono::steady_clock::time_point begun_ = std::chrono::steady_clock::now();
  std::string last_failure_;
  reports::ProgressLines lines_;
};

/// The lines that are shown; `last_failure` may be empty.
std::vector<std::string> certify_progress_lines(const conformance::Progress& progress,
                                                std::chrono::nanoseconds took,
                                                const std::string& last_failure,
                                                std::size_t columns);

}  // namespace hallmark::cli
