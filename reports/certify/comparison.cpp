#include "reports/certify/comparison.hpp"

#include <algorithm>
#include <map>

namespace hallmark::reports {
namespace {

/// The standing of a case. A known failure ranks no better than any other failure.
enum class Standing { good, open, bad };

Standing standing_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::pass: return Standing::good;
    case Verdict::skipped: return Standing::open;
    default: return Standing::bad;
  }
}

/// Results of earlier versions have no codes: there the sentences have to be the same.
bool same_reason(const CaseResult& before, const CaseResult& now) {
  return before.code && now.code ? before.code == now.code : before.reason == now.reason;
}

std::optional<Change> change_of(const CaseResult& before, const CaseResult& now) {
  const Standing was = standing_of(before.verdict);
  const Standing is = standing_of(now.verdict);
  const bool worse_kind = before.verdict == Verdict::known && now.verdict != Verdict::known;
  if (is == Standing::good) {
    return was == Standing::good ? std::nullopt : std::optional(Change::newly_passing);
  }
  if (is == Standing::open) {
    return was == Standing::good ? std::optional(Change::no_longer_played) : std::nullopt;
  }
  if (now.verdict != Verdict::known && (was != Standing::bad || worse_kind))
    return Change::newly_failing;
  const bool same = before.verdict == now.verdict && same_reason(before, now);
  return same ? std::nullopt : std::optional(Change::other_reason);
}

}  // namespace

std::size_t Comparison::of(Change change) const {
  return static_cast<std::size_t>(std::ranges::count(cases, change, &ChangedCase::change));
}

bool Comparison::unrelated() const {
  const auto in_both = [](const ChangedCase& one) { return one.before && one.now; };
  return unchanged == 0 && std::ranges::none_of(cases, in_both);
}

Comparison compare(const CertifyResult& before, const CertifyResult& now) {
  std::map<std::string_view, const CaseResult*> old;
  for (const CaseResult& one : before.cases) old[one.id] = &one;
  Comparison comparison;
  for (const CaseResult& one : now.cases) {
    const auto found = old.find(one.id);
    if (found == old.end()) {
      comparison.cases.push_back(
          {one.id, Change::appeared, std::nullopt, one.verdict, {}, one.reason});
      continue;
    }
    const CaseResult& was = *found->second;
    old.erase(found);
    if (const auto change = change_of(was, one)) {
      comparison.cases.push_back(
          {one.id, *change, was.verdict, one.verdict, was.reason, one.reason});
    } else {
      ++comparison.unchanged;
    }
  }
  for (const CaseResult& one : before.cases) {
    if (!old.contains(one.id)) continue;
    comparison.cases.push_back(
        {one.id, Change::disappeared, one.verdict, std::nullopt, one.reason, {}});
  }
  return comparison;
}

bool is_regression(const ChangedCase& one) {
  if (one.change == Change::newly_failing) return true;
  if (one.change != Change::appeared || *one.now == Verdict::known) return false;
  return standing_of(*one.now) == Standing::bad && *one.now != Verdict::unsupported;
}

ExitCode exit_code(const Comparison& comparison, const CertifyResult& now) {
  if (std::ranges::any_of(comparison.cases, is_regression)) return ExitCode::failures;
  const bool vacuous = count_verdicts(now).pass == 0;
  if (!now.run_error.empty() || vacuous) return ExitCode::unreachable_or_harness_error;
  const bool open = now.interrupted || comparison.of(Change::no_longer_played) > 0;
  return open ? ExitCode::indeterminate : ExitCode::as_expected;
}

std::string_view name_of(Change change) {
  switch (change) {
    case Change::newly_failing: return "newly failing";
    case Change::newly_passing: return "newly passing";
    case Change::other_reason: return "other reason";
    case Change::no_longer_played: return "no longer played";
    case Change::appeared: return "appeared";
    case Change::disappeared: return "disappeared";
  }
  return "appeared";
}

}  // namespace hallmark::reports
