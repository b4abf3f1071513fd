#pragma once
#include <cstdint>

#include "audit/run.hpp"
#include "reports/result.hpp"

namespace hallmark::audit {

/// The word for a run, the first that applies.
enum class Verdict : std::uint8_t {
  incomplete,  ///< it was interrupted, or the store was lost
  faulty,      ///< findings are left
  unfinished,  ///< entries that were to be migrated are not
  empty,       ///< there was nothing to check
  sound,
};

/// "INCOMPLETE".
std::string_view name_of(Verdict verdict);

/// A dry run is judged by that which would be left after the migration.
Verdict verdict_on(const RunResult& run);

/// Entries with findings, without those that the migration repaired.
std::uint64_t still_faulty(const RunResult& run);

/// Entries that the migration was to rewrite or merge, and that are as they were: ambiguous ones,
/// those without a quota, those that cannot be written, and those where it failed. 0 without a
/// migration.
std::uint64_t not_migrated(const RunResult& run);

/// Unreachable: the store was lost; failures: findings are left, or entries were not migrated;
/// indeterminate: nothing was found until it was interrupted.
reports::ExitCode exit_code(const RunResult& run);

}  // namespace hallmark::audit
