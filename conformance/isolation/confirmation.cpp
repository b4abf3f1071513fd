#include "conformance/isolation/confirmation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <ranges>
#include <set>

#include "base/text.hpp"
#include "conformance/engine/case_play.hpp"
#include "conformance/engine/rounds.hpp"
#include "conformance/judgement/verdict.hpp"

namespace hallmark::conformance {
namespace {

using reports::CaseResult;
using reports::Verdict;

/// So many other deliveries at least have to fail before a vector that passes as a whole is
/// doubted.
constexpr std::size_t least_deliveries = 2;

/// Replies to what prepares a case and tidies up behind it, with room to spare.
constexpr std::uint64_t most_uncounted = 10;

/// The promise of a target that does not put requests together.
constexpr std::string_view put_together =
    "a request is put together from the segments in which it arrives";

CaseResult passed(CaseResult one) { return without_outcome(std::move(one), Verdict::pass); }

/// Returns true if the case saw what cases see when the process ends or hangs of another one.
bool was_left_alone(const CaseResult& one) {
  if (!one.code) return false;
  switch (one.code->kind) {
    case reports::Code::Kind::crash:
    case reports::Code::Kind::hang:
    case reports::Code::Kind::silent:
    case reports::Code::Kind::closed:
    case reports::Code::Kind::unread:
    case reports::Code::Kind::refused_connection: return true;
    default: return false;
  }
}

/// Returns true of growth and of busy processors: other cases that are played may be their reason.
bool was_measured_beside_others(const CaseResult& one) {
  return one.code && (one.code->kind == reports::Code::Kind::leak ||
                      one.code->kind == reports::Code::Kind::busy);
}

/// Returns true of another delivery of a vector that failed as a whole when it was its turn.
bool was_left_out(const CaseResult& one) {
  return one.verdict == Verdict::skipped && one.reason == fails_as_a_whole;
}

/// Tells nothing of another delivery of a vector that fails as a whole.
void leave_to_whole(CaseResult& one) {
  one = without_outcome(std::move(one), Verdict::skipped);
  one.reason = fails_as_a_whole;
}

bool passes(const CaseResult* one) { return one->verdict == Verdict::pass; }

/// Returns true if enough of these deliveries fail alone, too, and all that do not pass fail alike.
bool fail_alike(std::span<CaseResult* const> deliveries) {
  const CaseResult* first = nullptr;
  std::size_t failing = 0;
  for (const CaseResult* const one : deliveries) {
    if (passes(one)) continue;
    if (first == nullptr) first = one;
    const bool alike =
        one->verdict == Verdict::fail && one->repeated.failed > 0 && one->code == first->code;
    if (!alike) return false;
    ++failing;
  }
  return failing >= least_deliveries;
}

/// Takes the result of playing the case once more; what was counted before stays.
void take_again(CaseResult& one, CaseResult again) {
  again.repeated = one.repeated;
  one = std::move(again);
}

/// Takes the result of playing the case alone, and counts it if it is a failure.
void take_alone(CaseResult& one, CaseResult alone) {
  if (alone.verdict == Verdict::fail) alone.repeated = {.failed = 1, .played = 1};
  one = std::move(alone);
}

/// Returns true if both failed for a field of the same message, and not alike.
bool fields_differ(const CaseResult& one, const CaseResult& other) {
  if (!one.code || !other.code || one.code == other.code) return false;
  return one.code->kind == reports::Code::Kind::wrong_field &&
         other.code->kind == reports::Code::Kind::wrong_field &&
         one.code->message == other.code->message;
}

/// The place of the first wrong field: the number of requests that were sent before, then its
/// offset.
std::pair<std::size_t, std::size_t> place_of_failure(const CaseResult& one) {
  for (const reports::Exchange& exchange : one.evidence) {
    for (const reports::AnnotatedField& field : exchange.fields) {
      if (field.wrong) return {one.reproduction.size(), field.offset};
    }
  }
  return {one.reproduction.size(), std::string::npos};
}

/// Returns the play whose wrong field comes first, without the value, which may vary.
CaseResult settled(CaseResult one, CaseResult other) {
  CaseResult& first = place_of_failure(one) < place_of_failure(other) ? one : other;
  first.code->input.clear();
  return std::move(first);
}

/// Returns true of what a case sees whose target has lost a reply.
bool may_be_loss(const CaseResult& one) {
  if (!one.code) return false;
  switch (one.code->kind) {
    case reports::Code::Kind::silent:
    case reports::Code::Kind::closed:
    case reports::Code::Kind::unread:
    case reports::Code::Kind::surplus:
    case reports::Code::Kind::malformed:
    case reports::Code::Kind::desynchronised: return true;
    default: return false;
  }
}

/// Returns true of what a case sees that takes a reply for that to the request before.
bool may_be_shift(const CaseResult& one) {
  return one.code && (one.code->kind == reports::Code::Kind::wrong_field ||
                      one.code->kind == reports::Code::Kind::wrong_order);
}

std::string code_of(const CaseResult& one) {
  return one.code ? reports::text_of(*one.code) : std::string();
}

}  // namespace

Confirmation::Confirmation(RunDriver& driver, const Suite& suite, PlayAlone play_alone)
    : driver_(driver), suite_(suite), play_alone_(std::move(play_alone)) {}

bool Confirmation::start_afresh(const std::string& id) {
  driver_.seam().begin_part("afresh: " + id);
  Attendant* const attendant = driver_.attendant();
  return attendant != nullptr && attendant->renew();
}

void Confirmation::confirm(reports::CertifyResult& result) {
  std::set<std::string> killers;
  for (const reports::Death& death : result.deaths) killers.insert(death.killer);
  deaths_ = !result.deaths.empty();
  const auto undecided =
      std::ranges::count(result.cases, Verdict::indeterminate, &CaseResult::verdict);
  few_without_verdict_ = undecided <= most_without_verdict;
  note_deliveries(result);
  until_ = driver_.seam().now() + most_confirming;
  const auto asking = std::ranges::find_if(result.cases, asks_again_and_again);
  const bool asked = asking != result.cases.end() && asking->verdict == Verdict::fail &&
                     !killers.contains(asking->id);
  if (asked) lapses_ = lapses_shown(*asking);
  for (CaseResult& one : result.cases) {
    // A post-mortem has played those alone already.
    if (killers.contains(one.id)) continue;
    if (one.verdict == Verdict::pass || one.verdict == Verdict::fail) played_.insert(one.id);
    if (asked && &one == &*asking) continue;
    if (lapses_ != Lapses::none) {
      confirm_despite_lapses(one);
    } else {
      confirm(one);
    }
  }
  doubt_lone_passes(result);
  if (lapses_ == Lapses::none) doubt_abilities(result);
  until_ = driver_.seam().now() + most_searching;
  for (CaseResult* const one : passed_alone_) explain_pass(*one);
  tell_of_segments(result);
  tell_wavering(result, wavering_);
  if (undecided_ > 0) {
    result.header.notes.push_back(fmt::format(
        "{} left out: {}", base::counted(undecided_, "case was", "cases were"), why_left()));
  }
  if (left_ > 0) {
    result.header.notes.push_back(
        fmt::format("{} not played again on a fresh process: there were too many, or no "
                    "time was left",
                    base::counted(left_, "failure was", "failures were")));
  }
}

void Confirmation::note_deliveries(reports::CertifyResult& result) {
  std::map<std::string, std::string> whole_of;
  for (const Unit& unit : suite_) {
    if (unit.vector == nullptr || unit.cases.front().delivery != Delivery::whole) continue;
    for (const CaseEntry& entry : unit.cases) {
      whole_of.emplace(entry.id, unit.cases.front().id);
      const bool paced = entry.delivery == Delivery::bytewise || entry.delivery == Delivery::split;
      if (paced) paced_.insert(entry.id);
    }
  }
  std::map<std::string, const CaseResult*> results;
  for (const CaseResult& one : result.cases) results.emplace(one.id, &one);
  for (const auto& [id, whole] : whole_of) {
    const auto found = results.find(whole);
    if (id != whole && found != results.end()) wholes_.emplace(id, found->second);
  }
}

void Confirmation::doubt_lone_passes(reports::CertifyResult& result) {
  std::map<const CaseResult*, std::vector<CaseResult*>> deliveries;
  for (CaseResult& one : result.cases) {
    const auto whole = wholes_.find(one.id);
    if (whole != wholes_.end() && whole->second->verdict == Verdict::pass)
      deliveries[whole->second].push_back(&one);
  }
  std::erase_if(deliveries, [](const auto& vector) { return !fail_alike(vector.second); });
  // Luck may have been with another delivery, too, unless that is how the target is.
  if (deliveries.size() > most_lone_passes)
    std::erase_if(deliveries,
                  [](const auto& vector) { return std::ranges::any_of(vector.second, passes); });
  if (deliveries.size() > most_lone_passes) return;
  for (CaseResult& one : result.cases) {
    const auto vector = deliveries.find(&one);
    if (vector == deliveries.end()) continue;
    auto alone = behind({}, one.id);
    if (driver_.stopped()) return;
    if (!alone || alone->verdict != Verdict::fail) continue;
    take_alone(one, std::move(*alone));
    for (CaseResult* const other : vector->second) leave_to_whole(*other);
  }
}

void Confirmation::tell_of_segments(reports::CertifyResult& result) const {
  const auto is_in_segments = [&](const CaseResult& one) { return paced_.contains(one.id); };
  std::vector<CaseResult*> failed;
  std::size_t judged = 0;
  for (CaseResult& one : result.cases | std::views::filter(is_in_segments)) {
    if (one.verdict == Verdict::pass || one.verdict == Verdict::fail) ++judged;
    if (one.verdict == Verdict::fail && !ends_process(one)) failed.push_back(&one);
  }
  if (failed.size() < least_in_segments || 2 * failed.size() < judged) return;
  const reports::Code code{.message = "segments", .promise = std::string(put_together)};
  for (CaseResult* const one : failed) {
    one->code = code;
    one->reason = fmt::format("a request is not put together from its segments: {}", one->reason);
  }
}

void Confirmation::doubt_abilities(reports::CertifyResult& result) {
  for (CaseResult& one : result.cases) {
    const bool rests = one.verdict == Verdict::skipped && one.reason.starts_with(rests_on_ability);
    if (!rests) continue;
    if (driver_.stopped() || confirmed_ == most_confirmed) return;
    auto alone = behind({}, one.id);
    if (!alone || driver_.stopped()) return;
    ++confirmed_;
    take_alone(one, std::move(*alone));
  }
}

/// Returns true of another delivery of a vector that fails as a whole, alone, too, or whose
/// operation the target lacks.
bool Confirmation::fails_as_whole(const CaseResult& one) const {
  const auto whole = wholes_.find(one.id);
  if (whole == wholes_.end()) return false;
  if (whole->second->verdict == Verdict::unsupported) return true;
  return whole->second->verdict == Verdict::fail &&
         std::ranges::find(passed_alone_, whole->second) == passed_alone_.end();
}

/// Beside others, it may be the reply of a neighbour or of the cleaning up that is lost.
Lapses Confirmation::lapses_shown(CaseResult& asking) {
  confirm(asking);
  const bool passes = std::ranges::find(passed_alone_, &asking) != passed_alone_.end();
  const Lapses shown = passes ? Lapses::none : lapses_shown_by(asking);
  if (shown == Lapses::none) return shown;
  lapses_shown_by_ = asking.id;
  first_lapse_ = asking.reproduction.size();
  const auto again = behind({}, asking.id);
  at_random_ = again && again->reproduction.size() != first_lapse_;
  if (at_random_) first_lapse_ = (first_lapse_ + again->reproduction.size()) / 2;
  return shown;
}

/// Returns true if a lapse of the target may be why the case ended so. A case that sends more than
/// the target answers without one cannot have been spared: behind a lost reply to one of many
/// requests in flight, the next ones have replies that are not theirs.
bool Confirmation::may_be_lapse(const CaseResult& one) const {
  if (lapses_ == Lapses::changes) return one.verdict != Verdict::pass;
  return may_be_loss(one) || (may_be_shift(one) && one.reproduction.size() >= first_lapse_);
}

/// The target decides by the number of its replies which one it loses or changes, or does so at
/// random: behind another case, the case fails elsewhere or passes.
void Confirmation::confirm_despite_lapses(CaseResult& one) {
  const bool was_judged = one.verdict == Verdict::pass || one.verdict == Verdict::fail;
  if (fails_as_whole(one) || !(was_judged || was_left_out(one))) return confirm(one);
  if (driver_.stopped()) return;
  // Chance decides which of the many replies that set its pace a lapse meets.
  if (paced_.contains(one.id)) return leave_to_lapses(one);
  // It cannot be played again, and chance decided whether it met a lapse.
  if (!is_in_suite(one.id)) {
    if (one.verdict == Verdict::pass || may_be_lapse(one)) leave_to_lapses(one);
    return;
  }
  const bool takes_few = meets_no_lapse(driver_.replies_in(one.id));
  if (one.verdict == Verdict::pass && (at_random_ || takes_few)) return;
  if (!in_time() || confirmed_ == most_confirmed_despite_lapses) {
    if (was_left_out(one) || (one.verdict == Verdict::fail && may_be_lapse(one)))
      return leave_to_lapses(one);
    left_ += one.verdict == Verdict::fail ? 1 : 0;
    return;
  }
  ++confirmed_;
  auto alone = behind({}, one.id);
  if (driver_.stopped()) return;
  // The time is over.
  if (!alone) return was_left_out(one) || may_be_lapse(one) ? leave_to_lapses(one) : void();
  if (alone->verdict == Verdict::pass && other_.empty()) other_ = one.id;
  if (alone->verdict != Verdict::fail) {
    one = alone->verdict == Verdict::pass ? passed(std::move(one)) : std::move(*alone);
    return;
  }
  const bool may_have_met_one = !at_random_ && !meets_no_lapse(replies_to_last_);
  if (may_have_met_one && may_be_lapse(*alone)) return leave_to_lapses(one);
  if (!at_random_ && meets_no_lapse(replies_to_last_ + most_uncounted)) {
    return take_alone(one, std::move(*alone));
  }
  confirm_behind_other(one, *alone);
}

/// A case that fails alone fails behind another one, too, in the same way and at the same place,
/// unless a lapse makes it fail. One that lapses at random may do so twice.
void Confirmation::confirm_behind_other(CaseResult& one, const CaseResult& alone) {
  const unsigned needed = at_random_ ? 2 : 1;
  const unsigned most = at_random_ ? most_behind_other : 1;
  unsigned alike = 0;
  for (unsigned i = 0; i < most; ++i) {
    auto again = behind({&other_, other_.empty() ? 0U : 1U}, one.id);
    if (driver_.stopped()) return;
    if (!again) break;
    if (again->verdict == Verdict::pass) {
      one = passed(std::move(one));
      return;
    }
    const bool told_apart =
        alone.reproduction == again->reproduction && meets_no_lapse(replies_to_last_);
    if (alone.code == again->code && (told_apart || !may_be_lapse(*again))) ++alike;
    if (alike == needed) {
      again->repeated = {.failed = alike + 1, .played = i + 2};
      one = std::move(*again);
      return;
    }
  }
  leave_to_lapses(one);
}

std::string Confirmation::why_left() const {
  return fmt::format("the target {}, as {} shows",
                     lapses_ == Lapses::changes ? "changes some of its replies" : "loses replies",
                     lapses_shown_by_);
}

void Confirmation::leave_to_lapses(CaseResult& one) {
  ++undecided_;
  one = without_outcome(std::move(one), Verdict::skipped);
  one.reason = why_left();
}

/// Cases that are not of the suite were played first of all, against a fresh process.
void Confirmation::confirm(CaseResult& one) {
  if (one.verdict != Verdict::unsupported && fails_as_whole(one)) return leave_to_whole(one);
  const bool was_open =
      was_left_out(one) || (few_without_verdict_ && one.verdict == Verdict::indeterminate);
  if (one.verdict != Verdict::fail && !was_open) return;
  const bool failed_alone = one.verdict == Verdict::fail && one.repeated.failed > 0;
  if (failed_alone || driver_.stopped()) return;
  if (confirmed_ == most_confirmed || !in_time()) {
    ++left_;
    return;
  }
  if (!start_afresh(one.id)) return;
  auto alone = play_alone_(one.id);
  if (!alone || driver_.stopped()) return;
  ++confirmed_;
  one.repeated += {.failed = alone->verdict == Verdict::fail ? 1U : 0U, .played = 1};
  if (fields_differ(one, *alone)) settle(one, *alone);
  if (alone->verdict != Verdict::pass) {
    take_again(one, std::move(*alone));
  } else if (was_open) {
    one = passed(std::move(one));
  } else {
    passed_alone_.push_back(&one);
  }
}

/// A target that confuses fields sends a time as the type of a TTL, or the like: what is wrong
/// about its reply varies. The play beside others does not count, as their failures may be seen in
/// it.
void Confirmation::settle(CaseResult& one, CaseResult& alone) {
  if (!is_in_suite(one.id) || !in_time() || !start_afresh(one.id)) return;
  auto again = play_alone_(one.id);
  if (!again || driver_.stopped()) return;
  one.repeated += {.failed = again->verdict == Verdict::fail ? 1U : 0U, .played = 1};
  if (fields_differ(alone, *again)) alone = settled(std::move(alone), std::move(*again));
}

bool Confirmation::is_in_suite(const std::string& id) const {
  return std::ranges::any_of(suite_, [&](const Unit& unit) {
    return std::ranges::find(unit.cases, id, &CaseEntry::id) != unit.cases.end();
  });
}

/// The last of them, in the order of the suite; those that were skipped may wait for minutes.
Confirmation::Ids Confirmation::played_before(const std::string& id) const {
  Ids before;
  for (const Unit& unit : suite_) {
    for (const CaseEntry& entry : unit.cases) {
      if (entry.id == id) {
        const std::size_t left_out = before.size() - std::min(before.size(), most_before);
        before.erase(before.begin(), before.begin() + static_cast<std::ptrdiff_t>(left_out));
        return before;
      }
      if (played_.contains(entry.id)) before.push_back(entry.id);
    }
  }
  return {};
}

std::optional<CaseResult> Confirmation::behind(std::span<const std::string> others,
                                               const std::string& id) {
  if (!in_time() || !start_afresh(id)) return std::nullopt;
  for (const std::string& other : others) {
    if (!in_time()) return std::nullopt;
    static_cast<void>(play_alone_(other));
  }
  const std::uint64_t before = driver_.replies();
  auto played = play_alone_(id);
  replies_to_last_ = driver_.replies() - before;
  return played;
}

bool Confirmation::fails_behind(CaseResult& one, std::span<const std::string> others,
                                const std::string& need) {
  auto played = behind(others, one.id);
  if (!played || played->verdict != Verdict::fail || driver_.is_unsure(one.id)) return false;
  one.repeated += {.failed = 1, .played = 1};
  take_again(one, std::move(*played));
  one.reason += fmt::format("; needs {} before it, alone it passes", need);
  return true;
}

/// Behind other deliveries of its vector, and where nothing is removed any more, a case meets the
/// keys that those before it could not remove: that is their failure. Growth that no case before it
/// explains was that of cases beside it. A lost reply is no more this case's than that of any other
/// that runs then, and where it was lost depends on how much was asked before: nothing is looked
/// for.
void Confirmation::explain_pass(CaseResult& one) {
  const bool explained =
      wholes_.contains(one.id) || driver_.is_unsure(one.id) || (deaths_ && was_left_alone(one));
  if (!explained && !was_left_alone(one) && needs_others(one)) return;
  const bool wavers = !explained && !was_measured_beside_others(one);
  const reports::Repetitions repeated = one.repeated;
  if (wavers) wavering_.push_back({one.id, code_of(one)});
  one = passed(std::move(one));
  if (wavers) one.repeated = repeated;
}

/// Those that failed alike before are tried first.
bool Confirmation::needs_others(CaseResult& one) {
  const auto [need, is_new] = needs_.try_emplace(code_of(one));
  if (!is_new && !need->second.empty() && fails_behind(one, {&need->second, 1}, need->second))
    return true;
  const Ids before = played_before(one.id);
  if (!is_new || before.empty() || searches_ == most_searches) return false;
  ++searches_;
  return halve(one, before);
}

/// The last case without which it passes is the one that it needs.
bool Confirmation::halve(CaseResult& one, const Ids& before) {
  if (!fails_behind(one, before, "all cases")) return false;
  std::size_t fails = 0;               // behind those from here on it fails …
  std::size_t passes = before.size();  // … and behind those from here on it passes
  while (passes - fails > 1 && in_time()) {
    const std::size_t middle = fails + (passes - fails) / 2;
    const bool half = fails_behind(one, std::span(before).subspan(middle), before[middle]);
    (half ? fails : passes) = middle;
  }
  if (fails_behind(one, std::span(before).subspan(fails, 1), before[fails]))
    needs_[code_of(one)] = before[fails];
  return true;
}

}  // namespace hallmark::conformance
