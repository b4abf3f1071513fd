#pragma once
#include <memory>
#include <optional>

#include "audit/migration_result.hpp"
#include "audit/tally.hpp"

namespace hallmark::audit {

/// A store, and what of it.
struct Source {
  stores::Address address{};
  stores::ScanOptions scan{};
  stores::Access access{};
};

/// Says if a run also migrates the states that it checks.
enum class Migrate : std::uint8_t { no, dry_run, yes };

struct RunOptions {
  Limits limits{};
  std::size_t most_examples = 5;
  /// The number of entries that are told apart in a store that may give keys twice; each takes 8 to
  /// 16 bytes.
  std::size_t remembered = 4'000'000;
  Migrate migrate = Migrate::no;
  bool allow_empty = false;  ///< a pattern that no key matches is no error
  /// Asked after each batch; when it says so, the run ends with what it has.
  std::function<bool()> stop{};
  /// Told after each batch: how far the scan is, and how many entries have a finding.
  std::function<void(const stores::Progress& progress, std::uint64_t faulty)> on_progress{};
  FindingSink on_finding{};
  /// Puts something around the connection that a migration writes to.
  std::function<std::unique_ptr<stores::Connection>(std::unique_ptr<stores::Connection>)> around{};
};

struct RunResult {
  AuditResult audit{};
  std::optional<MigrationResult> migration{};
};

/// Reads the store from one end to the other. Error: it could not be opened, or no key matches;
/// then nothing was done. Errors after that are in `AuditResult::error`, beside all that was
/// counted until then.
stores::Result<RunResult> run(const Source& source, Rules& rules, const RunOptions& options);

}  // namespace hallmark::audit
