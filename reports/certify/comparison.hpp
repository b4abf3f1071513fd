#pragma once

#include "reports/result.hpp"
#include "reports/terminal.hpp"

namespace hallmark::reports {

/// The change of a case since an earlier run.
enum class Change {
  newly_failing,     ///< failed, broke or is undecided or unsupported, and was not
  newly_passing,     ///< passes, and did not
  other_reason,      ///< as bad as before, with another code or verdict
  no_longer_played,  ///< had passed, and was skipped now
  appeared,          ///< was no case of the earlier run
  disappeared,       ///< is no case of this run
};

struct ChangedCase {
  std::string id;
  Change change = Change::appeared;
  std::optional<Verdict> before;  ///< nothing: it was no case
  std::optional<Verdict> now;
  std::string reason_before;
  std::string reason;
  bool operator==(const ChangedCase&) const = default;
};

/// The differences between two runs of certify, in the order of the later one. Cases that did not
/// change are only counted.
struct Comparison {
  std::vector<ChangedCase> cases;
  std::size_t unchanged = 0;
  std::size_t of(Change change) const;
  /// No case is one of both runs.
  bool unrelated() const;
};

Comparison compare(const CertifyResult& before, const CertifyResult& now);

/// True if it is a step back: a case is newly failing, or appeared and does not pass.
bool is_regression(const ChangedCase& one);

/// By regressions alone: 1 where there is one. 3 where the run itself went wrong or nothing passed,
/// 4 where it was interrupted or a case that had passed was not played; otherwise 0.
ExitCode exit_code(const Comparison& comparison, const CertifyResult& now);

/// Renders the changes and nothing else: regressions first, with their bytes. `baseline` names the
/// earlier run.
std::string render_comparison(const Comparison& comparison, const CertifyResult& now,
                              std::string_view baseline, const TerminalStyle& style);

std::string_view name_of(Change change);

}  // namespace hallmark::reports
