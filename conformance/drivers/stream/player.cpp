#include "conformance/drivers/stream/player.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <exception>

#include "conformance/engine/rounds.hpp"
#include "conformance/isolation/canary.hpp"
#include "conformance/judgement/verdict.hpp"
#include "conformance/reduction/failures.hpp"
#include "conformance/supervisor/supervisor.hpp"

namespace hallmark::conformance {
namespace {

using reports::CaseResult;
using reports::Verdict;

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

/// Empty: the case was played to its end. Where the run was stopped in its middle, or the target
/// was lost while others were played as well, its end says nothing about it.
std::string why_cut_off(RunContext& context, const CaseResult& result) {
  if (!worth_evidence(result.verdict)) return {};
  if (context.stopped()) return std::string(run_is_over);
  const Loss loss = context.given_up();
  if (loss == Loss::none) return {};
  context.suspect(with_last_bytes(result));
  const auto others = context.network.shared(Shared::beside, context.playing - 1);
  return others == 0 ? std::string() : in_words(loss);
}

/// Returns true if a target that is busy may answer after all when nobody waits any more.
bool waits_briefly(const RunContext& context) {
  return context.allowance() < std::min(SureWaits::shortest, context.patience.deadline());
}

bool is_silent(const CaseResult& result) {
  return result.code && result.code->kind == reports::Code::Kind::silent;
}

CaseResult play_case(RunContext& context, Housekeeper& housekeeper, const Unit& unit,
                     const CaseEntry& entry) {
  CaseResult result = not_played(entry, Verdict::pass, {});
  const Counted playing(context.playing);
  const Time started = context.network.now();
  const bool is_brief = waits_briefly(context);
  const bool was_owed = context.waits_with_rest();
  Stage stage(context, housekeeper, unit.name);
  Judgement judgement;
  for (int attempt = 0; attempt < most_attempts; ++attempt) {
    judgement = judged(stage, unit, entry);
    if (judgement.verdict != Verdict::indeterminate) break;
    if (attempt + 1 < most_attempts) stage.abandon();
  }
  conclude(result, std::move(judgement));
  context.refuted.see(context.format, stage.evidence());
  context.note_replies(entry.id, stage.evidence().received_in_all());
  // A record that is removed too late is missed, and no reply.
  const bool met_others = context.untidy() || (housekeeper.is_owed_answers() && !is_silent(result));
  if (result.verdict == Verdict::fail && (met_others || (is_brief && is_silent(result))))
    context.note_unsure(entry.id);
  if (is_silent(result) && (was_owed || context.waits_with_rest())) context.note_owed(entry.id);
  if (worth_evidence(result.verdict)) {
    if (result.likely_cause.empty()) result.likely_cause = context.likely_cause;
    result.evidence = stage.evidence().exchanges();
    result.reproduction = stage.evidence().reproduction();
  }
  if (worth_evidence(result.verdict)) {
    stage.hang_up();
    static_cast<void>(examine_target(context));
  }
  if (const std::string why = why_cut_off(context, result); !why.empty())
    return cut_off(entry, why);
  if (worth_evidence(result.verdict) && context.given_up() == Loss::hangs && !ends_process(result))
    result.code = reports::Code{.kind = reports::Code::Kind::hang, .message = result.operation};
  if (context.failures != nullptr && result.verdict == Verdict::fail) {
    context.failures->add({entry.id, script_of(context.format, entry.id, stage.evidence()),
                           unit.vector, entry.delivery});
  }
  stage.abandon();
  result.duration = std::chrono::nanoseconds(context.network.now() - started);
  return result;
}

/// Empty: the other deliveries are worth playing.
std::string_view why_no_other_delivery(const Attended& whole) {
  if (whole.result.verdict == Verdict::skipped) return {};
  if (whole.died) return waits_for_the_whole;
  return whole.result.verdict == Verdict::fail ? fails_as_a_whole : std::string_view();
}

}  // namespace

std::vector<CaseResult> play_unit(RunContext& context, Housekeeper& housekeeper, const Unit& unit) {
  std::vector<CaseResult> results;
  std::string_view why_left_out;  // reason to skip all deliveries but the whole one; empty: none
  for (const CaseEntry& entry : unit.cases) {
    if (!why_left_out.empty()) {
      results.push_back(not_played(entry, Verdict::skipped, std::string(why_left_out)));
      continue;
    }
    const auto play = [&] { return play_case(context, housekeeper, unit, entry); };
    const Attended attended = play_attended(context.network.supervisor(), entry, play);
    if (entry.delivery == Delivery::whole) why_left_out = why_no_other_delivery(attended);
    results.push_back(attended.result);
  }
  return results;
}

}  // namespace hallmark::conformance
