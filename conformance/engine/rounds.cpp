#include "conformance/engine/rounds.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "conformance/engine/case_play.hpp"
#include "conformance/judgement/verdict.hpp"

namespace hallmark::conformance {
namespace {

using reports::CaseResult;
using reports::Verdict;

CaseResult* find(reports::CertifyResult& result, const std::string& id) {
  const auto found = std::ranges::find(result.cases, id, &CaseResult::id);
  return found == result.cases.end() ? nullptr : &*found;
}

bool is_in_segments(const std::string& id) {
  const auto is = [&](Delivery delivery) { return id.ends_with(suffix_of(delivery)); };
  return is(Delivery::bytewise) || is(Delivery::split);
}

/// Names what a case shares with others that may all be deadly: its operation, or that it is a
/// vector in segments.
template <class Case>
std::string kind_of(const Case& one) {
  return is_in_segments(one.id) ? "vectors in segments" : one.operation;
}

/// Collects the cases that killed the target, keyed by what they share.
std::map<std::string, std::set<std::string>> killers_of(reports::CertifyResult& result) {
  std::map<std::string, std::set<std::string>> killers;
  for (const reports::Death& death : result.deaths) {
    const CaseResult* const one = find(result, death.killer);
    if (one != nullptr) killers[kind_of(*one)].insert(one->id);
  }
  return killers;
}

/// Returns true of a case that its target lived through. One in segments that fails may have ended
/// at a wrong reply to what came before, and only one that passes sent all of them.
bool was_survived(const CaseResult& one) {
  return one.verdict == Verdict::pass || (one.verdict == Verdict::fail && !is_in_segments(one.id));
}

/// Takes out those of which some case was played to its end and did not kill the target: when a
/// round ends depends on the order in which cases ran, and what is left must not.
void erase_survived(std::map<std::string, std::set<std::string>>& killers,
                    const reports::CertifyResult& result) {
  for (const CaseResult& one : result.cases) {
    const auto known = killers.find(kind_of(one));
    if (known == killers.end() || !was_survived(one)) continue;
    if (!known->second.contains(one.id)) killers.erase(known);
  }
}

/// Tells which cases kill the target whenever they are tried.
class KnownKillers {
 public:
  explicit KnownKillers(reports::CertifyResult& result) : killers_(killers_of(result)) {
    erase_survived(killers_, result);
  }

  /// Why the case of the unit is not played, as its vector is not; empty: it is not known to kill.
  std::string why_not_played(const Unit& unit, const CaseEntry& entry) const {
    std::string why = what_killed(entry);
    return why.empty() && unit.vector != nullptr ? what_killed(unit.cases.front()) : why;
  }

 private:
  std::string what_killed(const CaseEntry& entry) const {
    const auto known = killers_.find(kind_of(entry));
    if (known == killers_.end() || known->second.size() < enough_killers) return {};
    return fmt::format("not played: {} cases of {} killed the target", known->second.size(),
                       known->first);
  }

  std::map<std::string, std::set<std::string>> killers_;
};

/// Returns the units with those of their cases that are not left out. Asks once of each, in order.
template <class IsLeftOut>
Suite without(const Suite& suite, const IsLeftOut& is_left_out) {
  Suite rest;
  for (const Unit& unit : suite) {
    Unit kept = unit;
    std::erase_if(kept.cases, [&](const CaseEntry& entry) { return is_left_out(unit, entry); });
    if (!kept.cases.empty()) rest.push_back(std::move(kept));
  }
  return rest;
}

bool waits(const CaseResult* one) {
  return one != nullptr && one->verdict == Verdict::skipped &&
         one->reason.starts_with("not played: the target died");
}

}  // namespace

Time longest_run(const Suite& suite, Time deadline, bool slow) {
  const auto waits_long = [](const Unit& unit) { return unit.needs.slow; };
  const auto long_ones = slow ? std::ranges::count_if(suite, waits_long) : 0;
  return minute.length() * (1 + 3 * static_cast<Time>(long_ones)) +
         deadline * (2 + cases_in(suite) / 4);
}

void take(std::vector<CaseResult>& cases, CaseResult one) {
  const auto found = std::ranges::find(cases, one.id, &CaseResult::id);
  if (found == cases.end()) {
    cases.push_back(std::move(one));
  } else {
    *found = std::move(one);
  }
}

Suite left_after_deaths(const Suite& suite, reports::CertifyResult& result) {
  const KnownKillers killers(result);
  return without(suite, [&](const Unit& unit, const CaseEntry& entry) {
    CaseResult* const one = find(result, entry.id);
    if (!waits(one)) return true;
    const std::string why = killers.why_not_played(unit, entry);
    if (!why.empty()) one->reason = why;
    return !why.empty();
  });
}

Suite left_of_next(const Suite& suite, reports::CertifyResult& result) {
  const KnownKillers killers(result);
  return without(suite, [&](const Unit& unit, const CaseEntry& entry) {
    const std::string why = killers.why_not_played(unit, entry);
    if (!why.empty()) result.cases.push_back(not_played(entry, Verdict::skipped, why));
    return !why.empty();
  });
}

Suite settle_deliveries(const Suite& suite, reports::CertifyResult& result) {
  return without(suite, [&](const Unit& unit, const CaseEntry& entry) {
    CaseResult* const one = find(result, entry.id);
    if (one == nullptr || one->reason != waits_for_the_whole) return true;
    if (find(result, unit.cases.front().id)->verdict != Verdict::fail) return false;
    one->reason = fails_as_a_whole;
    return true;
  });
}

void settle_abilities(const Suite& suite, reports::CertifyResult& result) {
  for (const Unit& unit : suite) {
    const std::string& tested_by = unit.needs.tested_by;
    if (tested_by.empty()) continue;
    const std::string& id = unit.cases.front().id;
    CaseResult* const one = find(result, id);
    const CaseResult* const test =
        find(result, id.substr(0, id.size() - unit.name.size()) + tested_by);
    if (one == nullptr || test == nullptr || test->verdict != Verdict::fail) continue;
    const bool was_judged = one->verdict == Verdict::pass || one->verdict == Verdict::fail;
    if (!was_judged || ends_process(*one)) continue;
    *one = without_outcome(std::move(*one), Verdict::skipped);
    one->reason = fmt::format("{}what fails by itself: {}", rests_on_ability, tested_by);
  }
}

}  // namespace hallmark::conformance
