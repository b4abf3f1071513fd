#pragma once

#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "reference/faults/bug.hpp"
#include "reports/result.hpp"

namespace hallmark::cli {

/// True if the case finds the bug: it fails, it is unstable, or it finds an operation unsupported
/// and the bug is that one is missing. A case that cannot decide, or that ends by an error, kills
/// nothing.
bool kills(const reports::CaseResult& one, const faults::Bug& mutant);

/// One mutant of one dialect, and what `certify` found.
class MutantRow {
 public:
  /// `width`: at which it was played, "none" where the dialect has no widths.
  MutantRow(const faults::Bug& mutant, std::string dialect, std::string width);

  /// Adds what a run found; several of them, of all cases or of some, add up.
  void add(const reports::CertifyResult& result);

  const faults::Bug& mutant() const { return *mutant_; }
  const std::string& dialect() const { return dialect_; }
  const std::string& width() const { return width_; }
  /// Clauses of that dialect.
  const std::vector<std::string>& violates() const { return violates_; }
  /// Ids of the cases that kill it.
  const std::set<std::string>& killed_by() const { return killed_by_; }
  /// The run error of the last run.
  const std::string& run_error() const { return run_error_; }

  bool killed() const { return !killed_by_.empty(); }
  /// Violated clauses that no such case cites.
  std::vector<std::string> not_proved() const;
  /// True if every clause that it violates was found violated.
  bool complete() const { return killed() && not_proved().empty(); }

 private:
  const faults::Bug* mutant_;
  std::string dialect_;
  std::string width_;
  std::vector<std::string> violates_;
  std::set<std::string> killed_by_;
  std::set<std::string> cited_;  ///< by those cases
  std::string run_error_;
};

/// The cases that find each mutant.
class KillMatrix {
 public:
  /// Names the cases of a dialect that no mutant fails; counts all that were played.
  struct IdleCases {
    std::string dialect;
    std::size_t played = 0;
    std::vector<std::string> ids;
  };

  explicit KillMatrix(std::string version) : version_(std::move(version)) {}

  /// A run without any mutant: its cases are those that could kill. Empty: all passed; otherwise
  /// one line for the first that did not.
  std::string add_baseline(const std::string& dialect, const reports::CertifyResult& result);
  void add(MutantRow row) { rows_.push_back(std::move(row)); }
  /// The run was interrupted: what it left of the `wanted` mutants of dialects is not judged.
  /// Those that were not killed until then would have been played again.
  void interrupt(std::span<const MutantRow> wanted);

  /// Keyed by dialect and id.
  void sort();
  const std::vector<MutantRow>& rows() const { return rows_; }
  std::vector<MutantRow>& rows() { return rows_; }
  /// By dialect. A case that is played in several dialects needs one mutant in any of them.
  std::vector<IdleCases> idle_cases() const;
  /// True if each mutant was killed, by cases that cite each clause that it violates.
  bool complete() const;
  bool interrupted() const { return interrupted_; }

  /// reports/schema/kill-matrix.schema.json.
  std::string json() const;
  /// The page of docs/.
  std::string page() const;

 private:
  struct Cases {
    std::string dialect;
    std::vector<std::string> ids;
  };

  struct NotRun {
    const faults::Bug* mutant;
    std::string_view reason;
  };

  std::string version_;
  std::vector<Cases> baselines_;
  std::vector<MutantRow> rows_;
  std::vector<NotRun> not_run_;
  bool interrupted_ = false;
};

}  // namespace hallmark::cli
