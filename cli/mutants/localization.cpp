#include "cli/mutants/localization.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace hallmark::cli {
namespace {

bool kills_alone(const SoughtBug& bug, const std::string& id) { return bug.killed_by.contains(id); }

MatchedFinding matched(const Finding& finding, std::span<const SoughtBug> bugs) {
  MatchedFinding made{finding, {}};
  for (const SoughtBug& bug : bugs) {
    const auto kills = [&](const std::string& id) { return kills_alone(bug, id); };
    if (std::ranges::any_of(finding.cases, kills)) made.bugs.push_back(bug.id);
  }
  return made;
}

double share_of(std::size_t part, std::size_t whole) {
  return whole == 0 ? 1.0 : static_cast<double>(part) / static_cast<double>(whole);
}

}  // namespace

std::vector<Finding> missing_operations_in(const reports::CertifyResult& result) {
  std::vector<Finding> missing;
  for (const std::string& operation : result.missing_operations) {
    Finding& added = missing.emplace_back();
    added.id = "missing-" + operation;
    for (const reports::CaseResult& one : result.cases) {
      const bool for_want_of_it =
          one.operation == operation || one.reason.starts_with(fmt::format("needs {}:", operation));
      if (one.verdict == reports::Verdict::unsupported && for_want_of_it)
        added.cases.push_back(one.id);
    }
  }
  std::erase_if(missing, [](const Finding& one) { return one.cases.empty(); });
  return missing;
}

Localization localize_bugs(std::span<const SoughtBug> bugs, const std::vector<Finding>& findings,
                           const CaseIds& failed) {
  Localization made;
  CaseIds named;
  for (const Finding& finding : findings) {
    const MatchedFinding& added = made.findings.emplace_back(matched(finding, bugs));
    named.insert(added.bugs.begin(), added.bugs.end());
  }
  for (const SoughtBug& bug : bugs) {
    if (named.contains(bug.id)) continue;
    const auto kills = [&](const std::string& id) { return kills_alone(bug, id); };
    made.missed.push_back({bug.id, std::ranges::none_of(failed, kills)});
  }
  return made;
}

CaseOutcomes outcomes_of(const reports::CertifyResult& result) {
  CaseOutcomes outcomes;
  for (const reports::CaseResult& one : result.cases)
    outcomes.emplace(one.id, CaseOutcome{one.verdict, one.code ? text_of(*one.code) : ""});
  return outcomes;
}

std::vector<UnsteadyCase> unsteady_cases(std::span<const CaseOutcomes> runs) {
  CaseIds ids;
  for (const CaseOutcomes& run : runs) {
    for (const auto& [id, outcome] : run) ids.insert(id);
  }
  std::vector<UnsteadyCase> unsteady;
  for (const std::string& id : ids) {
    UnsteadyCase one{id, {}};
    for (const CaseOutcomes& run : runs) {
      const auto found = run.find(id);
      one.runs.push_back(found == run.end() ? std::nullopt : std::optional(found->second));
    }
    const bool same =
        std::ranges::adjacent_find(one.runs, std::ranges::not_equal_to{}) == one.runs.end();
    if (!same) unsteady.push_back(std::move(one));
  }
  return unsteady;
}

void LocalizationTotals::add(std::size_t bugs_of_set, const Localization& set,
                             std::size_t unsteady_of_set) {
  const auto count = [](const auto& all, auto is_counted) {
    return static_cast<std::size_t>(std::ranges::count_if(all, is_counted));
  };
  bugs += bugs_of_set;
  missed += set.missed.size();
  hidden += count(set.missed, &MissedBug::hidden);
  findings += set.findings.size();
  surplus += count(set.findings, [](const MatchedFinding& one) { return one.bugs.empty(); });
  unsteady += unsteady_of_set;
}

double LocalizationTotals::recall() const { return share_of(bugs - missed, bugs); }

double LocalizationTotals::precision() const { return share_of(findings - surplus, findings); }

double LocalizationTotals::findings_per_bug() const {
  return bugs == 0 ? 0.0 : share_of(findings, bugs);
}

bool LocalizationTotals::good() const {
  return recall() >= least_recall && precision() >= least_precision &&
         findings_per_bug() <= most_findings_per_bug && unsteady == 0;
}

}  // namespace hallmark::cli
