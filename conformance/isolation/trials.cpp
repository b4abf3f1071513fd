#include "conformance/isolation/trials.hpp"

#include <fmt/format.h>

namespace hallmark::conformance {
namespace {

using reports::Verdict;
using Harm = Deviation::Harm;

/// The connection of the input; what is silent on others has a promise that it breaks.
bool silences_itself(const Code& code) {
  return code.kind == Code::Kind::silent && code.promise.empty();
}

Deviation deviation_of(const Judgement& judgement) {
  Code code = judgement.code.value_or(
      Code{.kind = Code::Kind::broken_promise, .promise = reports::promise_of(judgement.reason)});
  if (silences_itself(code)) return {Harm::silences, code, "this connection never answers again"};
  const bool silent = code.kind == Code::Kind::silent;
  return {silent ? Harm::silences : Harm::other, std::move(code), judgement.reason};
}

Deviation deviation_of(Fate fate) {
  return fate == Fate::hung ? Deviation{Harm::hangs, {.kind = Code::Kind::hang}, {}}
                            : Deviation{Harm::kills, {.kind = Code::Kind::crash}, {}};
}

}  // namespace

Trials::Trials(Stage& stage, Try set_up)
    : stage_(stage), set_up_(std::move(set_up)), caretaker_(stage.context()) {
  if (set_up_) set_up_();
  before_all_ = stage_.evidence();
}

void Trials::attempt(const Input& input, const Try& try_it) {
  if (stage_.context().stopped()) stage_.skip("interrupted");
  if (!stopped_.empty()) return log_.note_untried(input);
  Tried tried{input, try_it};
  const std::size_t deaths = caretaker_.deaths();
  replace_in_time(deaths);
  if (!prepare()) return log_.note_untried(input);
  ++on_this_process_;
  if (const auto judgement = outcome_of(try_it, deaths)) judge(tried, *judgement, deaths);
  previous_ = std::move(tried);
}

/// Nothing: all is as it has to be, and the process is still the same.
std::optional<Judgement> Trials::outcome_of(const Try& try_it, std::size_t deaths_before) {
  stage_.evidence() = before_all_;
  try {
    try_it();
    return caretaker_.has_ended(deaths_before) ? std::optional(Judgement()) : std::nullopt;
  } catch (const CaseEnded& ended) {
    // Nobody waits for the rest of a run that is to end.
    if (ended.judgement().verdict == Verdict::skipped || stage_.context().stopped()) throw;
    return ended.judgement();
  }
}

void Trials::judge(const Tried& tried, const Judgement& judgement, std::size_t deaths_before) {
  stage_.hang_up();
  const Fate fate = caretaker_.fate(deaths_before);
  if (fate == Fate::died || fate == Fate::hung) return bury(tried, fate, deaths_before);
  if (fate == Fate::lost) {
    const Loss loss = stage_.context().given_up();
    note(tried.input, deviation_of(loss == Loss::hangs ? Fate::hung : Fate::died));
    return stop(in_words(loss));
  }
  if (judgement.verdict != Verdict::fail) {
    if (!open_) open_ = judgement;
    return;
  }
  const Deviation deviation = deviation_of(judgement);
  note(tried.input, deviation, judgement.likely_cause);
  if (deviation.harm == Harm::silences && ++silences_ == most_silences)
    stop(fmt::format("{} inputs were followed by silence", silences_));
}

/// If neither input does it again, all that was tried before has its part, or the target ends by
/// itself: such a death is looked into as any other.
void Trials::bury(const Tried& tried, Fate fate, std::size_t deaths_before) {
  prepared_ = false;
  if (caretaker_.is_shared()) {
    // Cases that run at a death are played again alone.
    note(tried.input, deviation_of(fate));
    return stop("other cases were being played");
  }
  Evidence evidence = stage_.evidence();
  const Tried* culprit = nullptr;
  if (ends_target(tried.try_it)) {
    culprit = &tried;
  } else if (previous_ && ends_target(previous_->try_it)) {
    culprit = &*previous_;
  } else {
    stage_.evidence() = std::move(evidence);
  }
  count(fate);
  const Input& input = culprit == nullptr ? tried.input : culprit->input;
  note(input, deviation_of(fate));
  if (culprit != nullptr) caretaker_.blame(deaths_before, in_words(input));
}

void Trials::count(Fate fate) {
  if (fate == Fate::died && ++deaths_ == most_deaths)
    stop(fmt::format("the target died {} times", deaths_));
  if (fate == Fate::hung && ++hangs_ == most_hangs)
    stop(fmt::format("the target hung {} times", hangs_));
}

/// One process meets all inputs if the target cannot be replaced.
void Trials::replace_in_time(std::size_t deaths_before) {
  if (!prepared_ || on_this_process_ < most_on_one_process) return;
  if (caretaker_.has_ended(deaths_before)) return;
  stage_.hang_up();
  prepared_ = !caretaker_.replace();
  on_this_process_ = 0;
}

/// Makes a fresh process ready after a death. Returns false if there is none.
bool Trials::prepare() {
  if (prepared_) return true;
  stage_.hang_up();
  if (!caretaker_.start_afresh()) {
    stop("the target could not be started again");
    return false;
  }
  try {
    if (set_up_) set_up_();
  } catch (const CaseEnded& ended) {
    if (ended.judgement().verdict == Verdict::skipped) throw;
    stop("what they rest on fails: " + ended.judgement().reason);
    return false;
  }
  prepared_ = true;
  on_this_process_ = 0;
  return true;
}

/// Tries an input once more. Returns true if the target dies or hangs of it.
bool Trials::ends_target(const Try& try_it) {
  if (!prepare()) return false;
  const std::size_t deaths = caretaker_.deaths();
  const bool unharmed = !outcome_of(try_it, deaths) && settles() && !caretaker_.has_ended(deaths);
  stage_.hang_up();
  if (unharmed) return false;
  const Fate fate = caretaker_.fate(deaths);
  prepared_ = fate != Fate::died && fate != Fate::hung;
  return !prepared_;
}

/// A target may take notice of an input late, such as of a connection that was reset.
bool Trials::settles() {
  constexpr int looks = 10;
  constexpr Time moment = 1'000'000;
  for (int look = 0; look < looks; ++look) {
    if (!stage_.bystander().answers()) return false;
    stage_.wait_until(stage_.now() + moment);
  }
  return true;
}

void Trials::note(const Input& input, const Deviation& deviation, const std::string& likely_cause) {
  log_.note(input, deviation);
  if (worst_ && worst_->harm <= deviation.harm) return;
  worst_ = Worst{deviation.harm, stage_.evidence(), likely_cause};
}

void Trials::stop(std::string why) {
  if (stopped_.empty()) stopped_ = std::move(why);
}

void Trials::conclude() {
  if (!prepared_) {
    stage_.hang_up();
    caretaker_.start_afresh();
  }
  if (log_.is_clean() && open_) throw CaseEnded(*open_);
  if (log_.is_clean() && log_.is_complete()) return;
  if (log_.is_clean()) end_case(Verdict::indeterminate, log_.reason(stopped_));
  stage_.evidence() = std::move(worst_->evidence);
  fail_case(log_.code(), log_.reason(stopped_), std::move(worst_->likely_cause));
}

}  // namespace hallmark::conformance
