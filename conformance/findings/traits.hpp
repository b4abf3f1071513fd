#pragma once

#include <map>
#include <set>
#include <string>

#include "reports/result.hpp"

namespace hallmark::conformance {

/// Places of cases in a result.
using Places = std::set<std::size_t>;

/// Something that cases of a run have in common: a possible cause of failures.
struct Trait {
  /// The weight of a trait as evidence of a cause: a symptom says more than the place where it is
  /// seen.
  double weight = 1;
  Places failed;            ///< places of the failures that have it
  std::size_t decided = 0;  ///< cases that have it, or could have shown it, and were judged
};

/// By name: "symptom wrong-field QUERY.quota", "clause query.found", "operation GET".
using Traits = std::map<std::string, Trait>;

/// True of what failed, and is not known to.
bool is_failure(const reports::CaseResult& one);

/// Returns the code of the failure, whatever input showed it; empty if it has none.
std::string symptom_of(const reports::CaseResult& one);

/// True of a failure that shows what is wrong, and not only that something is: a field that has the
/// wrong value, a reply that did not come.
bool is_plain(const reports::CaseResult& one);

/// Returns the symptom that most of the failures have; empty if none has one. Of several that are
/// as frequent, it is always the same one, and a plain one if there is one.
std::string usual_symptom(const reports::CertifyResult& result, const Places& places);

/// True if the process keeps something of what is over, or works for nobody.
bool is_growth(const reports::CaseResult& one);

/// The traits of all failures of the run.
Traits traits_of(const reports::CertifyResult& result);

}  // namespace hallmark::conformance
