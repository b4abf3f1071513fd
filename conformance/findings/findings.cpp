#include "conformance/findings/findings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/random.hpp"
#include "conformance/findings/several_failures.hpp"
#include "conformance/findings/traits.hpp"

namespace hallmark::conformance {
namespace {

using reports::CaseResult;
using reports::CertifyFinding;
using reports::Code;
using reports::Severity;
using reports::Verdict;

using Places = std::set<std::size_t>;

Places common(const Places& a, const Places& b) {
  Places both;
  std::ranges::set_intersection(a, b, std::inserter(both, both.end()));
  return both;
}

/// Explains the more, the more failures are left that have the trait, and the fewer cases pass in
/// spite of it.
double score(const Trait& trait, std::size_t explained) {
  const double purity =
      static_cast<double>(trait.failed.size()) / static_cast<double>(trait.decided);
  return trait.weight * static_cast<double>(explained) * purity * purity;
}

/// The simplest failure: one that is sure, of few requests, in one piece.
const CaseResult& simplest(const reports::CertifyResult& result, const Places& places) {
  const auto rank = [&](std::size_t at) {
    const CaseResult& one = result.cases[at];
    return std::tuple(one.verdict != Verdict::fail, one.level, one.id.find('#') != one.id.npos,
                      one.reproduction.size(), at);
  };
  return result.cases[*std::ranges::min_element(places, {}, rank)];
}

/// What a stranger can do with it.
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

CertifyFinding finding(const reports::CertifyResult& result, const std::string& trait,
                       const Places& places) {
  const CaseResult& shown = simplest(result, places);
  CertifyFinding made;
  made.kind = shown.code ? reports::name_of(shown.code->kind) : "failure";
  made.id = fmt::format("{}-{:06x}", made.kind, base::fnv1a(trait) & 0xffffff);
  made.sentence = fmt::format("{}: {}", shown.title, shown.reason);
  made.severity = severity_of(shown);
  made.clauses = clauses_of(result, places, shown);
  made.shown_by = shown.id;
  made.script = shown.reproduction;
  for (const std::size_t at : places) {
    // Several failures of one case stand side by side.
    if (made.cases.empty() || made.cases.back() != result.cases[at].id)
      made.cases.push_back(result.cases[at].id);
  }
  return made;
}

Places failures_in(const reports::CertifyResult& result) {
  Places all;
  for (std::size_t i = 0; i < result.cases.size(); ++i) {
    if (is_failure(result.cases[i])) all.insert(i);
  }
  return all;
}

struct Cause {
  std::string trait;
  Places places;
};

/// True if both are about one operation, by what they test or by the message that was wrong.
bool are_akin(const CaseResult& a, const CaseResult& b) {
  const auto names = [](const CaseResult& one) {
    return std::array{one.operation, one.code ? one.code->message : one.operation};
  };
  if (ends_process(a) != ends_process(b) || a.id == b.id || is_growth(a) || is_growth(b))
    return false;
  const auto of_a = names(a);
  const auto of_b = names(b);
  return std::ranges::find_first_of(of_a, of_b) != of_a.end();
}

/// A failure that nothing shares its traits with belongs to the cause most of whose failures are
/// about the same operation. Null: there is none.
Cause* nearest(const reports::CertifyResult& result, std::vector<Cause>& causes,
               const CaseResult& one) {
  const auto share = [&](const Cause& cause) {
    const auto akin = std::ranges::count_if(
        cause.places, [&](std::size_t at) { return are_akin(result.cases[at], one); });
    return static_cast<double>(akin) / static_cast<double>(cause.places.size());
  };
  const auto best = std::ranges::max_element(causes, {}, share);
  return best == causes.end() || share(*best) == 0 ? nullptr : &*best;
}

}  // namespace

std::vector<CertifyFinding> findings_of(const reports::CertifyResult& run) {
  const reports::CertifyResult result = one_failure_a_case(run);
  const Traits traits = traits_of(result);
  Places left = failures_in(result);
  std::vector<Cause> causes;
  while (!left.empty()) {
    const auto worth = [&](const auto& one) {
      return score(one.second, common(one.second.failed, left).size());
    };
    const auto best = std::ranges::max_element(traits, {}, worth);
    const Places explained = common(best->second.failed, left);
    for (const std::size_t at : explained) left.erase(at);
    Cause* const akin =
        explained.size() == 1 ? nearest(result, causes, result.cases[*explained.begin()]) : nullptr;
    if (akin == nullptr) {
      causes.push_back({best->first, explained});
    } else {
      akin->places.insert(*explained.begin());
    }
  }
  std::vector<CertifyFinding> found;
  for (const Cause& cause : causes) found.push_back(finding(result, cause.trait, cause.places));
  std::ranges::stable_sort(found, {}, &CertifyFinding::severity);
  return found;
}

}  // namespace hallmark::conformance
