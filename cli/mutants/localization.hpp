#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cli/mutants/lone_kills.hpp"
#include "reports/result.hpp"

/// Judges how well the findings of certify tell apart the bugs that a server has at once.
namespace hallmark::cli {

/// One finding of a certify run: an id, and the cases that it explains.
using Finding = decltype(reports::CertifyResult::findings)::value_type;

/// A bug of a set, and the cases that fail with it alone.
struct SoughtBug {
  std::string id;
  CaseIds killed_by;
};

struct MatchedFinding {
  Finding finding;
  /// Bugs of the set that one of its cases kills alone. Empty: the finding is surplus.
  std::vector<std::string> bugs;
};

/// A bug that no finding matches.
struct MissedBug {
  std::string id;
  /// None of the cases that kill it alone failed: another bug kept them from being played, or made
  /// them pass.
  bool hidden = false;
  bool operator==(const MissedBug&) const = default;
};

struct Localization {
  std::vector<MatchedFinding> findings;  ///< in the order of the result
  std::vector<MissedBug> missed;         ///< in the order of the set
};

/// A finding for each operation for want of which cases were not supported: certify lists these
/// operations beside its findings, because cases about them do not fail. Its cases are those.
std::vector<Finding> missing_operations_in(const reports::CertifyResult& result);

/// Matches findings with bugs: a finding matches a bug if one of its cases kills the bug alone.
/// `failed`: the cases that failed in the run that made the findings.
Localization localize_bugs(std::span<const SoughtBug> bugs, const std::vector<Finding>& findings,
                           const CaseIds& failed);

/// The verdict of a case in a run, and its code.
struct CaseOutcome {
  reports::Verdict verdict = reports::Verdict::error;
  std::string code;  ///< of its reason
  bool operator==(const CaseOutcome&) const = default;
};

/// Keyed by the ids of the cases.
using CaseOutcomes = std::map<std::string, CaseOutcome>;

CaseOutcomes outcomes_of(const reports::CertifyResult& result);

/// A case that came out differently in several runs of one set.
struct UnsteadyCase {
  std::string id;
  std::vector<std::optional<CaseOutcome>> runs;  ///< nothing: that run had no such case
};

/// The cases whose verdict or code is not the same in all runs, by their ids.
std::vector<UnsteadyCase> unsteady_cases(std::span<const CaseOutcomes> runs);

/// Counts over all sets, and what is asked of them.
struct LocalizationTotals {
  static constexpr double least_recall = 0.95;
  static constexpr double least_precision = 0.95;
  static constexpr double most_findings_per_bug = 1.3;

  std::size_t bugs = 0;
  std::size_t missed = 0;
  std::size_t hidden = 0;  ///< of those missed
  std::size_t findings = 0;
  std::size_t surplus = 0;   ///< findings that match no bug
  std::size_t unsteady = 0;  ///< cases that came out differently

  void add(std::size_t bugs_of_set, const Localization& set, std::size_t unsteady_of_set);

  /// Bugs that a finding matches, of all; 1 where there are none.
  double recall() const;
  /// Findings that match a bug, of all; 1 where there are none.
  double precision() const;
  /// 0 where there are no bugs.
  double findings_per_bug() const;
  bool good() const;
};

}  // namespace hallmark::cli
