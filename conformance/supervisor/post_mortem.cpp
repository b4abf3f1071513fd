#include "conformance/supervisor/post_mortem.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/quantity.hpp"
#include "base/text.hpp"
#include "conformance/judgement/evidence.hpp"
#include "conformance/judgement/verdict.hpp"

namespace hallmark::conformance {
namespace {

using reports::CaseResult;
using reports::Death;
using reports::DeathCause;
using reports::Verdict;

/// A process that is left alone may live longer than one that has work to do. On a busy machine its
/// start alone takes half a second, and it is counted.
constexpr Time slack = 700'000'000;

Time vigil_for(Time lived) { return std::min(2 * lived + slack, longest_vigil); }

/// Fewer requests than this are explained among those sent last over one connection.
constexpr std::size_t most_explained = 32;

Time time_of(std::chrono::nanoseconds duration) { return static_cast<Time>(duration.count()); }

/// The requests that the bytes are made of, each with its fields.
void explain(const WireFormat& format, const reports::Exchange& exchange,
             std::vector<reports::Exchange>& into) {
  Evidence evidence;
  evidence.start(0);
  const Time at = static_cast<Time>(exchange.at.count()) * 1000;
  base::ByteView rest = exchange.bytes;
  std::size_t requests = 0;
  while (!rest.empty()) {
    const auto* const operation = protocol::operation_of(format.dialect(), rest);
    if (operation == nullptr || ++requests == most_explained) break;
    protocol::Decoder decoder(format.request(*operation), {.refuse_unlisted = false});
    if (decoder.resume(rest) != protocol::Decoder::State::complete) break;
    evidence.sent(exchange.connection, format.request(*operation), rest.first(decoder.size()), at);
    rest = rest.subspan(decoder.size());
  }
  if (!rest.empty()) evidence.sent(exchange.connection, std::nullopt, rest, at);
  const std::size_t first = into.size();
  for (reports::Exchange& one : evidence.exchanges()) into.push_back(std::move(one));
  if (into.size() > first) into.back().omitted += exchange.omitted;
}

/// Empty where the exchange is not a request of the dialect.
std::string_view operation_in(const WireFormat& format, const reports::Exchange& exchange) {
  if (exchange.fields.empty()) return {};
  const auto* const operation = protocol::operation_of(format.dialect(), exchange.bytes);
  return operation == nullptr ? std::string_view() : std::string_view(operation->name);
}

/// Returns the case's reason. A process that hangs closes no connection: where the case saw an end,
/// Hallmark had ended the process.
std::string reason_beside_hang(const WireFormat* format, const CaseResult& one) {
  if (format == nullptr || !one.code || one.code->kind != Code::Kind::closed) return one.reason;
  return fmt::format("no reply to {} came before it was ended", one.code->message);
}

/// The operation that the case itself sent last. Of several that it sent without waiting for a
/// reply, its own: which of them was handled differs from run to run, as does what other
/// connections sent last.
std::string last_operation(const WireFormat* format, const CaseResult& one) {
  const auto is_sent = [](const reports::Exchange& exchange) {
    return exchange.direction == reports::Direction::sent;
  };
  auto at = std::find_if(one.evidence.rbegin(), one.evidence.rend(), is_sent);
  if (format == nullptr || at == one.evidence.rend()) return one.operation;
  const std::string_view last = operation_in(*format, *at);
  for (; at != one.evidence.rend() && is_sent(*at); ++at) {
    if (operation_in(*format, *at) == one.operation) return one.operation;
  }
  return last.empty() ? one.operation : std::string(last);
}

/// The target died while the case was played, which may not be its doing.
void leave_open(CaseResult& one, std::string reason) {
  one.verdict = Verdict::indeterminate;
  one.reason = std::move(reason);
  one.code = Code{.kind = Code::Kind::undecided,
                  .message = one.operation,
                  .promise = "the target lives while it is played"};
}

std::string_view verb_of(const Death& death) { return death.hung ? "hangs" : "kills"; }

std::string by_itself(const Death& death) {
  return fmt::format("the target {} by itself meanwhile: {}", death.hung ? "hung" : "ended",
                     death.how);
}

CaseResult* case_of(reports::CertifyResult& result, const std::string& id) {
  const auto found = std::ranges::find(result.cases, id, &CaseResult::id);
  return found == result.cases.end() ? nullptr : &*found;
}

/// Those that nobody looked into yet.
std::vector<Casualty> recent_casualties(Attendant& attendant) {
  static_cast<void>(attendant.has_died());
  auto casualties = attendant.casualties();
  const std::size_t examined = std::min(attendant.examined(), casualties.size());
  casualties.erase(casualties.begin(), casualties.begin() + static_cast<std::ptrdiff_t>(examined));
  return casualties;
}

class PostMortem {
 public:
  PostMortem(Attendant& attendant, const PlayAlone& play_alone, const WireFormat* format,
             reports::CertifyResult& result, Vigils& vigils)
      : attendant_(attendant),
        play_alone_(play_alone),
        format_(format),
        result_(result),
        vigils_(vigils) {}

  void hold(std::vector<Casualty> casualties) {
    attendant_.set_reviving(false);
    for (const Casualty& casualty : casualties) {
      for (const std::string& id : casualty.death.running) {
        if (id != casualty.claimed_by) try_alone(id, casualty);
      }
    }
    for (Casualty& casualty : casualties) conclude(std::move(casualty));
    static_cast<void>(attendant_.renew());
    attendant_.set_reviving(true);
  }

 private:
  struct Trial {
    bool played = false;
    std::string how;  ///< it died or hung; empty: it did not
    bool hung = false;
    std::string killer = {};  ///< the case that is to blame, if the played one knows; else empty
  };

  CaseResult* find(const std::string& id) { return case_of(result_, id); }

  void try_alone(const std::string& id, const Casualty& casualty);
  Trial play(const std::string& id);
  Trial judged(const Casualty& casualty, CaseResult& alone);
  bool ends_by_itself(Time lived);
  bool hangs_by_itself(Time lived);
  void keep_vigil(Time vigil);
  void note_end(std::string how, Time vigil);
  /// Returns the length of the next vigil, of which so much is needed: the first of a run is brief
  /// if that is enough, and so are those of processes that end sooner.
  Time next_vigil(Time needed) const {
    if (!vigils_.ended_how.empty()) return needed;
    return vigils_.survived == 0 && needed <= brief_vigil ? brief_vigil : longest_vigil;
  }
  bool would_end(Time vigil) const {
    return !vigils_.ended_how.empty() && vigils_.ended_after <= vigil;
  }
  std::optional<bool> answers_a_case();
  bool does_so_by_itself(const Death& death);
  void conclude(Casualty casualty);
  void find_cause(Casualty& casualty);
  std::string none_of_them(const Casualty& casualty);
  bool blame(Death& death, const std::vector<std::string>& ids);
  bool is_explained(const Casualty& casualty);
  bool blame_claimant(Casualty& casualty);
  void fail(const std::string& id, const std::string& how, bool hung);

  Attendant& attendant_;
  const PlayAlone& play_alone_;
  const WireFormat* format_;
  reports::CertifyResult& result_;
  std::map<std::string, Trial> trials_;
  Vigils& vigils_;
  bool nobody_to_ask_ = false;  ///< no case could be played against a process that was left alone
};

/// A case that had a process for itself when that died was played alone already.
void PostMortem::try_alone(const std::string& id, const Casualty& casualty) {
  if (trials_.contains(id)) return;
  CaseResult* const kept = casualty.alone ? find(id) : nullptr;
  Trial trial = kept != nullptr ? judged(casualty, *kept) : play(id);
  if (!trial.how.empty() && trial.killer.empty()) {
    fail(id, trial.how, trial.hung);
    if (CaseResult* const one = find(id)) one->repeated = {.failed = 1, .played = 1};
  }
  trials_.emplace(id, std::move(trial));
}

PostMortem::Trial PostMortem::play(const std::string& id) {
  CaseResult* const kept = find(id);
  const bool enough = trials_.size() >= most_played_again;
  if (enough || !attendant_.renew()) {
    if (kept != nullptr && kept->verdict != Verdict::pass)
      leave_open(*kept,
                 kept->reason + "; the target died meanwhile, and this was not played again");
    return {};
  }
  const std::size_t before = attendant_.casualties().size();
  std::optional<CaseResult> alone = play_alone_(id);
  if (!alone) return {};
  Trial trial{true, {}};
  const auto casualties = attendant_.casualties();
  if (casualties.size() > before) trial = judged(casualties.back(), *alone);
  if (kept == nullptr) return trial;
  // A death may have made it fail in the crowd: only the same failure twice is its own.
  const bool confirmed = kept->verdict == Verdict::fail && alone->verdict == Verdict::fail &&
                         kept->code && kept->code == alone->code;
  *kept = std::move(*alone);
  if (confirmed) kept->repeated = {.failed = 1, .played = 1};
  return trial;
}

/// The end of a process that had the case for itself.
PostMortem::Trial PostMortem::judged(const Casualty& casualty, CaseResult& alone) {
  const Death& death = casualty.death;
  if (!casualty.killer.empty()) return {true, death.how, death.hung, casualty.killer};
  if (!does_so_by_itself(death)) return {true, death.how, death.hung};
  leave_open(alone, by_itself(death));
  return {true, {}};
}

/// Leaves a process alone for so long, and asks it something if it is still there: that tells
/// whether processes end by themselves, and whether they hang by themselves. Two are enough in a
/// run, unless the second one ends or hangs, which it may have done late.
void PostMortem::keep_vigil(Time vigil) {
  if (!attendant_.renew()) return;
  if (std::string how = attendant_.end_within(vigil); !how.empty())
    return note_end(std::move(how), vigil);
  vigils_.survived = std::max(vigils_.survived, vigil);
  const std::optional<bool> answers = answers_a_case();
  nobody_to_ask_ = !answers;
  if (!answers) return;
  if (*answers) {
    vigils_.answered_after = std::max(vigils_.answered_after, vigil);
  } else {
    vigils_.hung_after = vigils_.hung_after == 0 ? vigil : std::min(vigils_.hung_after, vigil);
  }
}

/// An end may be noticed after the vigil, and a record that was changed may tell of no death.
void PostMortem::note_end(std::string how, Time vigil) {
  const auto casualties = attendant_.casualties();
  const Time lived =
      casualties.empty() ? vigil : std::min(vigil, time_of(casualties.back().death.lived));
  const bool is_first = vigils_.ended_how.empty();
  vigils_.ended_after = is_first ? lived : std::min(vigils_.ended_after, lived);
  vigils_.ended_how = std::move(how);
}

/// Returns true if a process that nobody asks anything ends, too, before it is as old. None is
/// watched for one that lived longer than any vigil: nothing could be learnt.
bool PostMortem::ends_by_itself(Time lived) {
  const Time vigil = vigil_for(lived);
  if (lived > longest_vigil) return false;
  if (vigils_.ended_how.empty() && vigils_.survived < vigil) keep_vigil(next_vigil(vigil));
  return would_end(vigil);
}

/// Returns true if a process that nobody asks anything hangs, too, before it is as old. One that
/// ends sooner cannot be asked.
bool PostMortem::hangs_by_itself(Time lived) {
  const Time vigil = vigil_for(lived);
  if (lived > longest_vigil) return false;
  const auto is_open = [&] {
    return vigils_.answered_after < vigil && !would_end(vigil) && !nobody_to_ask_;
  };
  if (vigils_.hung_after == 0 && is_open()) keep_vigil(next_vigil(vigil));
  // One that was left alone for longer may have hung only after so long.
  if (vigils_.hung_after > vigil && is_open()) keep_vigil(vigil);
  return vigils_.hung_after > 0 && vigils_.hung_after <= vigil;
}

/// Plays a case that passed, for the sake of the canary in it. Returns false if the target hangs;
/// nothing where no case can be played.
std::optional<bool> PostMortem::answers_a_case() {
  const std::size_t before = attendant_.casualties().size();
  const bool played = std::ranges::any_of(result_.cases, [&](const CaseResult& one) {
    return one.verdict == Verdict::pass && play_alone_(one.id);
  });
  if (!played) return std::nullopt;
  const auto casualties = attendant_.casualties();
  return casualties.size() <= before || !casualties.back().death.hung;
}

bool PostMortem::does_so_by_itself(const Death& death) {
  const Time lived = time_of(death.lived);
  return death.hung ? hangs_by_itself(lived) : ends_by_itself(lived);
}

void PostMortem::fail(const std::string& id, const std::string& how, bool hung) {
  CaseResult* const one = find(id);
  if (one == nullptr) return;
  const std::string reason = hung ? reason_beside_hang(format_, *one) : one->reason;
  Judgement judgement{
      Verdict::fail,
      fmt::format("{} {}{}{}", hung ? "after it the target" : "the target died of it:", how,
                  reason.empty() ? "" : "; ", reason),
      std::move(one->likely_cause),
      {}};
  judgement.drawing = std::move(one->drawing);
  judgement.code = Code{.kind = hung ? Code::Kind::hang : Code::Kind::crash,
                        .message = last_operation(format_, *one)};
  conformance::conclude(*one, std::move(judgement));
}

bool PostMortem::blame(Death& death, const std::vector<std::string>& ids) {
  for (const std::string& id : ids) {
    const Trial& trial = trials_[id];
    if (trial.how.empty()) continue;
    death.cause = DeathCause::one_case;
    death.killer = trial.killer.empty() ? id : trial.killer;
    death.conclusion =
        fmt::format("{} {} it: alone against a fresh process, too", death.killer, verb_of(death));
    return true;
  }
  return false;
}

void PostMortem::find_cause(Casualty& casualty) {
  Death& death = casualty.death;
  if (blame(death, death.running)) return;
  if (does_so_by_itself(death)) {
    death.cause = DeathCause::by_itself;
    const auto after =
        std::chrono::nanoseconds(death.hung ? vigils_.hung_after : vigils_.ended_after);
    death.conclusion = fmt::format(
        "it {0}s by itself: a process that nobody asked anything {1} {2} after it was started",
        death.hung ? "hang" : "end", death.hung ? "answered nobody" : "ended",
        base::human_duration(after));
    // Cases that are played before and after the suite are not played again.
    for (const std::string& id : death.running) {
      CaseResult* const one = find(id);
      if (one != nullptr && !trials_[id].played && one->verdict == Verdict::fail)
        leave_open(*one, by_itself(death));
    }
    return;
  }
  // Cases before the suite are played alone; the result may not contain them.
  const bool not_played = death.running.size() == 1 && !trials_[death.running.front()].played;
  const bool alone_already =
      not_played && (casualty.before.empty() || attendant_.given_up().empty());
  if (alone_already) {
    death.cause = DeathCause::one_case;
    death.killer = death.running.front();
    death.conclusion =
        fmt::format("{} {} it: nothing else was running", death.killer, verb_of(death));
    return fail(death.killer, death.how, death.hung);
  }
  const std::vector<std::string>& before = casualty.before;
  for (const std::string& id : before) try_alone(id, casualty);
  if (blame(death, before)) return;
  death.conclusion = none_of_them(casualty);
}

/// Claims nothing about cases that could not be played again.
std::string PostMortem::none_of_them(const Casualty& casualty) {
  const Death& death = casualty.death;
  std::vector<std::string> ids = death.running;
  ids.insert(ids.end(), casualty.before.begin(), casualty.before.end());
  const std::string cases = base::counted(ids.size(), "case", "cases");
  const auto played =
      std::ranges::count_if(ids, [&](const auto& id) { return trials_[id].played; });
  const std::string given_up = attendant_.given_up();
  if (played == 0 && !given_up.empty())
    return fmt::format("none of the {} that ran then was played again: {}", cases, given_up);
  return fmt::format("none of the {} that ran then {} it alone", cases, verb_of(death));
}

/// An input was seen to kill twice. A target that ends by itself soon could have done so both
/// times.
bool PostMortem::is_explained(const Casualty& casualty) {
  constexpr Time soon = 400'000'000;
  const Death& death = casualty.death;
  if (casualty.claimed_by.empty()) return false;
  return death.hung || !ends_by_itself(std::min(time_of(death.lived), soon));
}

/// Inputs of one case cause several deaths: the first is told here, the case tells of all inputs.
/// Returns false if it is not the first.
bool PostMortem::blame_claimant(Casualty& casualty) {
  Death& death = casualty.death;
  death.cause = DeathCause::one_case;
  death.killer = casualty.killer;
  death.conclusion = fmt::format("{} {} it: {}", death.killer, verb_of(death), casualty.input);
  CaseResult* const one = casualty.claimed_by == death.killer ? find(death.killer) : nullptr;
  // Each input that kills is tried once more, on a fresh process.
  if (one != nullptr && one->verdict == Verdict::fail && !death.hung)
    one->repeated = {.failed = 1, .played = 1};
  return std::ranges::find(result_.deaths, death.killer, &Death::killer) == result_.deaths.end();
}

void PostMortem::conclude(Casualty casualty) {
  if (!is_explained(casualty)) {
    find_cause(casualty);
  } else if (!blame_claimant(casualty)) {
    return;
  }
  Death& death = casualty.death;
  if (format_ != nullptr) {
    std::vector<reports::Exchange> explained;
    for (const reports::Exchange& exchange : death.last_sent)
      explain(*format_, exchange, explained);
    death.last_sent = std::move(explained);
  }
  const bool answered_for = death.cause == DeathCause::one_case && find(death.killer) != nullptr;
  // A death that only the run as a whole causes has a case of its own (`tell_stray_deaths`).
  const bool stray = death.cause == DeathCause::unknown;
  if (!answered_for && !stray && result_.run_error.empty()) {
    result_.run_error = fmt::format("the target {} during the run: {}; {}",
                                    death.hung ? "hung" : "died", death.how, death.conclusion);
  }
  result_.deaths.push_back(std::move(death));
}

}  // namespace

void note_deaths(Attendant& attendant, reports::CertifyResult& result) {
  for (Casualty& casualty : recent_casualties(attendant)) {
    for (const std::string& id : casualty.death.running) {
      CaseResult* const one = case_of(result, id);
      if (one == nullptr || casualty.alone) continue;
      conclude(*one, {Verdict::skipped, "not played to its end: the run was over", {}, {}});
      one->evidence.clear();
      one->reproduction.clear();
    }
    casualty.death.conclusion = "the run was over before its cause was looked for";
    result.deaths.push_back(std::move(casualty.death));
  }
  attendant.set_examined();
}

void hold_post_mortem(Attendant& attendant, const PlayAlone& play_alone, const WireFormat* format,
                      reports::CertifyResult& result, Vigils& vigils) {
  auto casualties = recent_casualties(attendant);
  if (casualties.empty()) return;
  PostMortem(attendant, play_alone, format, result, vigils).hold(std::move(casualties));
  attendant.set_examined();
}

}  // namespace hallmark::conformance
