#include "conformance/engine/case_play.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "conformance/judgement/verdict.hpp"
#include "protocol/annotate.hpp"

namespace hallmark::conformance {

using reports::CaseResult;
using reports::Verdict;

CaseResult not_played(const CaseEntry& entry, Verdict verdict, std::string reason) {
  CaseResult result;
  result.id = entry.id;
  result.title = entry.title;
  result.operation = entry.operation;
  switch (entry.level) {
    case protocol::Level::must: result.level = reports::Level::must; break;
    case protocol::Level::should: result.level = reports::Level::should; break;
    case protocol::Level::may: result.level = reports::Level::may; break;
  }
  result.clauses = entry.clauses;
  conclude(result, {verdict, std::move(reason), {}, {}});
  return result;
}

CaseResult without_outcome(CaseResult one, Verdict verdict) {
  CaseResult result;
  result.id = std::move(one.id);
  result.title = std::move(one.title);
  result.operation = std::move(one.operation);
  result.level = one.level;
  result.clauses = std::move(one.clauses);
  result.duration = one.duration;
  result.process = one.process;
  result.verdict = verdict;
  return result;
}

CaseResult cut_off(const CaseEntry& entry, std::string_view why) {
  return not_played(entry, Verdict::skipped, fmt::format("not played to its end: {}", why));
}

bool worth_evidence(Verdict verdict) {
  return verdict == Verdict::fail || verdict == Verdict::indeterminate || verdict == Verdict::error;
}

std::string with_last_bytes(const CaseResult& result) {
  const auto sent = [](const reports::Exchange& one) {
    return one.direction == reports::Direction::sent;
  };
  const auto last = std::ranges::find_if(result.evidence.rbegin(), result.evidence.rend(), sent);
  if (last == result.evidence.rend()) return result.id;
  constexpr std::size_t shown = 24;
  return fmt::format("{}, which sent {}", result.id, protocol::printable(last->bytes, shown));
}

Attended play_attended(Attendant* attendant, const CaseEntry& entry,
                       const std::function<CaseResult()>& play) {
  if (attendant == nullptr) return {play()};
  attendant->begin_case(entry.id);
  if (const std::string why = attendant->given_up(); !why.empty()) {
    attendant->end_case(true);
    return {not_played(entry, Verdict::skipped, "not played: " + why), true};
  }
  const ProcessFigures begun = attendant->measure();
  CaseResult result = play();
  result.process = use_between(begun, attendant->measure());
  const bool died = attendant->end_case(result.verdict == Verdict::pass);
  return {std::move(result), died};
}

}  // namespace hallmark::conformance
