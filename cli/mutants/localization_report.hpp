#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.hpp"
#include "cli/mutants/localization.hpp"

namespace hallmark::cli {

/// A set of bugs that was certified.
struct LocalizedSet {
  std::uint64_t seed = 0;  ///< draws this set again
  std::string dialect;
  std::string width;                    ///< "none" where the dialect has no widths
  std::vector<std::string> bugs;        ///< ids, in the order of the catalogue
  std::chrono::nanoseconds duration{};  ///< of the first run
  std::string run_error;                ///< of the first run
  Localization localization;            ///< of the first run
  CaseOutcomes outcomes;                ///< of the first run
  unsigned runs = 1;
  std::vector<UnsteadyCase> unsteady;
};

/// All that `mutants localize` did.
struct LocalizationRun {
  std::string version;        ///< of Hallmark
  std::uint64_t seed = 0;     ///< of the first set; each further one has the next number
  std::size_t wanted = 0;     ///< sets
  std::size_t most_bugs = 0;  ///< in a set
  bool interrupted = false;   ///< not all sets were certified
  std::chrono::nanoseconds duration{};
  std::vector<LocalizedSet> sets;  ///< by their seeds
};

LocalizationTotals totals_of(const LocalizationRun& run);

/// Renders the run for a terminal: a line for each thing that went wrong in a set, then recall,
/// precision and findings per bug in a few lines. The last of these begins with the verdict.
std::string render_localization(const LocalizationRun& run);

/// reports/schema/localization.schema.json. `kills`: as LoneKills::json makes it.
std::string localization_json(const LocalizationRun& run, base::Json kills);

}  // namespace hallmark::cli
