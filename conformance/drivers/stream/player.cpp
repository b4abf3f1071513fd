#include "conformance/drivers/stream/player.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <exception>

#include "conformance/engine/canary.hpp"
#include "conformance/reduction/failures.hpp"
#include "conformance/supervisor/supervisor.hpp"
#include "protocol/annotate.hpp"

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

/// "throttr-7.1/u16/insert/existing, which sent 01 07 …"
std::string with_last_bytes(const CaseResult& result) {
  const auto sent = [](const reports::Exchange& one) {
    return one.direction == reports::Direction::sent;
  };
  const auto last = std::ranges::find_if(result.evidence.rbegin(), result.evidence.rend(), sent);
  if (last == result.evidence.rend()) return result.id;
  constexpr std::size_t shown = 24;
  return fmt::format("{}, which sent {}", result.id, protocol::printable(last->bytes, shown));
}

/// Empty: the case was played to its end. Where the run was stopped in its middle, or the target
/// was lost while others were played as well, its end says nothing about it.
std::string why_cut_off(RunContext& context, const CaseResult& result) {
  if (!worth_evidence(result.verdict)) return {};
  if (context.stopped()) return "the run was over";
  const Loss loss = context.given_up();
  if (loss == Loss::none) return {};
  context.suspect(with_last_bytes(result));
  const auto others = context.network.shared(Shared::beside, context.playing - 1);
  return others == 0 ? std::string() : in_words(loss);
}

/// Counts the cases that are being played.
class Playing {
 public:
  explicit Playing(RunContext& context) : context_(context) { ++context_.playing; }
  ~Playing() { --context_.playing; }
  Playing(const Playing&) = delete;
  Playing& operator=(const Playing&) = delete;

 private:
  RunContext& context_;
};

CaseResult play_case(RunContext& context, Housekeeper& housekeeper, const Unit& unit,
                     const CaseEntry& entry) {
  CaseResult result = blank(entry);
  const Playing playing(context);
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
  if (worth_evidence(result.verdict)) {
    stage.hang_up();
    static_cast<void>(examine_target(context));
  }
  if (const std::string why = why_cut_off(context, result); !why.empty())
    return not_played(entry, Verdict::skipped, "not played to its end: " + why);
  if (worth_evidence(result.verdict) && context.given_up() == Loss::hangs)
    result.code = reports::Code{.kind = reports::Code::Kind::hang, .message = result.operation};
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
