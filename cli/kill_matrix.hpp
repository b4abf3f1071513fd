#pragma once

#include <string>
#include <vector>

#include "reference/mutants/mutant.hpp"
#include "reports/result.hpp"

namespace hallmark::cli {

/// One mutant of one dialect, and what `certify` found.
struct MutantRow {
  const mutants::Mutant* mutant = nullptr;
  std::string dialect;
  std::vector<std::string> violates;   ///< clauses of that dialect
  std::vector<std::string> proved;     ///< those of them that a failed case cites
  std::vector<std::string> killed_by;  ///< ids of the cases that failed
  std::string run_error;               ///< as that of the run

  bool killed() const { return !killed_by.empty(); }
  /// Whether every clause that it violates was found violated.
  bool complete() const { return killed() && proved.size() == violates.size(); }
};

/// Which case finds which mutant.
class KillMatrix {
 public:
  explicit KillMatrix(std::string version) : version_(std::move(version)) {}

  /// A run without any mutant: its cases are those that could kill. Empty: all passed; otherwise
  /// one line for the first that did not.
  std::string add_baseline(const std::string& dialect, const reports::CertifyResult& result);
  void add(const mutants::Mutant& mutant, const std::string& dialect,
           const reports::CertifyResult& result);

  /// By dialect and id.
  void sort();
  const std::vector<MutantRow>& rows() const { return rows_; }
  /// Cases that no mutant fails, by dialect.
  std::vector<std::pair<std::string, std::vector<std::string>>> idle_cases() const;
  /// Whether each mutant was killed, by cases that cite each clause that it violates.
  bool complete() const;

  /// reports/schema/kill_matrix.schema.json.
  std::string json() const;
  /// The page of docs/.
  std::string page() const;

 private:
  struct Cases {
    std::string dialect;
    std::vector<std::string> ids;
  };

  std::string version_;
  std::vector<Cases> baselines_;
  std::vector<MutantRow> rows_;
};

}  // namespace hallmark::cli
