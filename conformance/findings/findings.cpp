#include "conformance/findings/findings.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>

#include "base/random.hpp"
#include "conformance/findings/causes.hpp"
#include "conformance/findings/several_failures.hpp"
#include "conformance/isolation/steadiness.hpp"
#include "conformance/judgement/lapses.hpp"

namespace hallmark::conformance {
namespace {

using reports::CaseResult;
using reports::CertifyFinding;
using reports::Code;
using reports::Severity;
using reports::Verdict;

/// The simplest failure: one that is sure, tells of every connection or else is in one piece, soon
/// said, with the usual symptom and the shortest script.
const CaseResult& simplest(const reports::CertifyResult& result, const Places& places) {
  constexpr std::size_t soon_said = 200;
  const std::string usual = usual_symptom(result, places);
  const auto rank = [&](std::size_t at) {
    const CaseResult& one = result.cases[at];
    return std::tuple(one.verdict != Verdict::fail, !tells_of_every_connection(one),
                      one.id.find('#') != one.id.npos, one.reason.size() > soon_said,
                      symptom_of(one) != usual, one.reproduction.empty(), one.reproduction.size(),
                      fmt::formatted_size("{}", fmt::join(one.reproduction, "")), one.level, at);
  };
  return result.cases[*std::ranges::min_element(places, {}, rank)];
}

/// The harm that a stranger can do with the failure.
Severity severity_of(const CaseResult& one) {
  if (!one.code) return Severity::low;
  switch (one.code->kind) {
    case Code::Kind::crash:
    case Code::Kind::hang: return Severity::critical;
    case Code::Kind::wrong_recipient:
    case Code::Kind::desynchronised:
    case Code::Kind::surplus:
    case Code::Kind::silent:
    case Code::Kind::leak:
    case Code::Kind::busy:
    case Code::Kind::unread:
    case Code::Kind::closed: return Severity::high;
    default: break;
  }
  return one.level == reports::Level::must ? Severity::medium : Severity::low;
}

/// Those that all cases cite; where there are none, those of the simplest.
std::vector<std::string> clauses_of(const reports::CertifyResult& result, const Places& places,
                                    const CaseResult& shown) {
  std::vector<std::string> clauses = shown.clauses;
  std::erase_if(clauses, [&](const std::string& clause) {
    return !std::ranges::all_of(places, [&](std::size_t at) {
      return std::ranges::find(result.cases[at].clauses, clause) != result.cases[at].clauses.end();
    });
  });
  return clauses.empty() ? shown.clauses : clauses;
}

/// The kind of most of the failures: unlike that of one of them, it is the same in the next run.
std::string kind_of(const reports::CertifyResult& result, const Places& places) {
  std::map<Code::Kind, std::size_t> counts;
  for (const std::size_t at : places) {
    if (const auto& code = result.cases[at].code) ++counts[code->kind];
  }
  if (counts.empty()) return "failure";
  const auto most =
      std::ranges::max_element(counts, {}, &std::pair<const Code::Kind, std::size_t>::second);
  return std::string(reports::name_of(most->first));
}

/// Returns how the target ended in the case, in words that the next run would repeat: a hang
/// without what the process did meanwhile. Empty if no death is blamed on the case.
std::string end_in(const reports::CertifyResult& result, const std::string& id) {
  const auto death = std::ranges::find(result.deaths, id, &reports::Death::killer);
  if (death == result.deaths.end()) return {};
  return death->hung ? "hangs" : death->how;
}

/// Says how the target ended in the other cases of the finding, if it ended differently there:
/// "; other cases: hangs". Otherwise empty.
std::string other_ends(const reports::CertifyResult& result, const Places& places,
                       const CaseResult& shown) {
  std::set<std::string> ends;
  for (const std::size_t at : places) ends.insert(end_in(result, result.cases[at].id));
  ends.erase(std::string());
  ends.erase(end_in(result, shown.id));
  return ends.empty() ? std::string() : fmt::format("; other cases: {}", fmt::join(ends, ", "));
}

CertifyFinding finding(const reports::CertifyResult& result, const std::string& cause,
                       const Places& places) {
  const CaseResult& shown = simplest(result, places);
  CertifyFinding made;
  made.kind = kind_of(result, places);
  made.id = fmt::format("{}-{:06x}", made.kind, base::fnv1a(cause) & 0xffffff);
  made.sentence =
      fmt::format("{}: {}{}", shown.title, shown.reason, other_ends(result, places, shown));
  made.severity = severity_of(shown);
  for (const std::size_t at : places)
    made.severity = std::min(made.severity, severity_of(result.cases[at]));
  made.clauses = clauses_of(result, places, shown);
  made.shown_by = shown.id;
  made.script = shown.reproduction;
  for (const std::size_t at : places) {
    // Several failures of one case stand side by side.
    if (!made.cases.empty() && made.cases.back() == result.cases[at].id) continue;
    made.cases.push_back(result.cases[at].id);
    made.repeated += result.cases[at].repeated;
    std::ranges::move(wavering_of(result, result.cases[at]), std::back_inserter(made.cases));
  }
  return made;
}

}  // namespace

std::vector<CertifyFinding> findings_of(const reports::CertifyResult& run) {
  const reports::CertifyResult result = one_failure_a_case(run);
  std::vector<CertifyFinding> found;
  for (const Cause& cause : causes_of(result))
    found.push_back(finding(result, cause.name, cause.places));
  std::ranges::stable_sort(found, {}, &CertifyFinding::severity);
  return found;
}

}  // namespace hallmark::conformance
