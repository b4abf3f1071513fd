#include "conformance/drivers/stream/player.hpp"

#include <fmt/format.h>

#include <exception>

#include "conformance/engine/canary.hpp"
#include "conformance/reduction/failures.hpp"
#include "conformance/supervisor/supervisor.hpp"

namespace hallmark::conformance {
namespace {

using reports::CaseResult;
using reports::Verdict;

CaseResult blank(const CaseEntry& entry) {
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
  return result;
}

void run(Stage& stage, const Unit& unit, const CaseEntry& entry) {
  if (unit.empty) stage.require_empty();
  if (unit.vector != nullptr) return play(stage, *unit.vector, entry.delivery);
  stage.restart();
  unit.run(stage);
  stage.require_quiet();
  stage.clean();
}

Judgement judged(Stage& stage, const Unit& unit, const CaseEntry& entry) {
  try {
    run(stage, unit, entry);
    return {};
  } catch (const CaseEnded& ended) {
    return ended.judgement();
  } catch (const std::exception& unexpected) {
    return {Verdict::error, fmt::format("the case itself broke: {}", unexpected.what()), {}, {}};
  }
}

bool worth_evidence(Verdict verdict) {
  return verdict == Verdict::fail || verdict == Verdict::indeterminate || verdict == Verdict::error;
}

/// Where the run was stopped, or the target left, in the middle of a case, its end says nothing.
bool was_cut_off(RunContext& context, const CaseResult& result) {
  return worth_evidence(result.verdict) && (context.stopped() || !context.given_up().empty());
}

std::string why_cut_off(RunContext& context) {
  const std::string given_up = context.given_up();
  return given_up.empty() ? "not played to its end: the run was over"
                          : fmt::format("not played to its end: {}", given_up);
}

CaseResult play_case(RunContext& context, Housekeeper& housekeeper, const Unit& unit,
                     const CaseEntry& entry) {
  CaseResult result = blank(entry);
  const Time started = context.network.now();
  Stage stage(context, housekeeper, unit.name);
  Judgement judgement;
  for (int attempt = 0; attempt < most_attempts; ++attempt) {
    judgement = judged(stage, unit, entry);
    if (judgement.verdict != Verdict::indeterminate) break;
    if (attempt + 1 < most_attempts) stage.abandon();
  }
  conclude(result, std::move(judgement));
  if (worth_evidence(result.verdict)) {
    if (result.likely_cause.empty()) result.likely_cause = context.likely_cause;
    result.evidence = stage.evidence().exchanges();
    result.reproduction = stage.evidence().reproduction();
  }
  if (worth_evidence(result.verdict)) static_cast<void>(examine_target(context));
  if (was_cut_off(context, result))
    return not_played(entry, Verdict::skipped, why_cut_off(context));
  if (context.failures != nullptr && result.verdict == Verdict::fail) {
    context.failures->add({entry.id, script_of(context.format, entry.id, stage.evidence()),
                           unit.vector, entry.delivery});
  }
  stage.abandon();
  result.duration = std::chrono::nanoseconds(context.network.now() - started);
  return result;
}

/// As `play_case`, of a target that may die of it. `disturbed`: it did, of this or of another case,
/// and what the result says is not the last word.
CaseResult play_attended(RunContext& context, Housekeeper& housekeeper, const Unit& unit,
                         const CaseEntry& entry, bool& disturbed) {
  Supervisor* const supervisor = context.network.supervisor();
  if (supervisor == nullptr) return play_case(context, housekeeper, unit, entry);
  supervisor->begin_case(entry.id);
  if (const std::string why = supervisor->given_up(); !why.empty()) {
    supervisor->end_case(true);
    return not_played(entry, Verdict::skipped, "not played: " + why);
  }
  CaseResult result = play_case(context, housekeeper, unit, entry);
  disturbed = supervisor->end_case(result.verdict == Verdict::pass);
  return result;
}

}  // namespace

CaseResult not_played(const CaseEntry& entry, Verdict verdict, std::string reason) {
  CaseResult result = blank(entry);
  conclude(result, {verdict, std::move(reason), {}, {}});
  return result;
}

std::vector<CaseResult> play_unit(RunContext& context, Housekeeper& housekeeper, const Unit& unit) {
  std::vector<CaseResult> results;
  bool disturbed = false;
  for (const CaseEntry& entry : unit.cases) {
    const bool again = entry.delivery != Delivery::whole && !results.empty() && !disturbed &&
                       results.front().verdict == Verdict::fail &&
                       unit.cases.front().delivery == Delivery::whole;
    results.push_back(
        again ? not_played(entry, Verdict::skipped, "the vector fails as a whole already")
              : play_attended(context, housekeeper, unit, entry, disturbed));
  }
  return results;
}

}  // namespace hallmark::conformance
