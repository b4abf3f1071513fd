#include "conformance/engine/confirmation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/text.hpp"

namespace hallmark::conformance {
namespace {

using reports::CaseResult;
using reports::Verdict;

/// The case without what was wrong with it in the crowd.
CaseResult passed(CaseResult one) {
  CaseResult result;
  result.id = std::move(one.id);
  result.title = std::move(one.title);
  result.operation = std::move(one.operation);
  result.level = one.level;
  result.clauses = std::move(one.clauses);
  result.duration = one.duration;
  result.process = one.process;
  result.verdict = Verdict::pass;
  return result;
}

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

/// Takes the result of playing the case once more; what was counted before stays.
void take_again(CaseResult& one, CaseResult again) {
  again.repeated = one.repeated;
  one = std::move(again);
}

std::string code_of(const CaseResult& one) {
  return one.code ? reports::text_of(*one.code) : std::string();
}

}  // namespace

Confirmation::Confirmation(RunDriver& driver, const Suite& suite, Patience& patience,
                           PlayAlone play_alone)
    : driver_(driver), suite_(suite), patience_(patience), play_alone_(std::move(play_alone)) {}

bool Confirmation::start_afresh(const std::string& id) {
  driver_.seam().begin_part("afresh: " + id);
  Attendant* const attendant = driver_.attendant();
  return attendant != nullptr && attendant->renew();
}

void Confirmation::confirm(reports::CertifyResult& result) {
  std::set<std::string> killers;
  for (const reports::Death& death : result.deaths) killers.insert(death.killer);
  deaths_ = !result.deaths.empty();
  std::vector<CaseResult*> passed_alone;
  std::size_t left = 0;
  patience_.never_below(shortest_wait);
  until_ = driver_.seam().now() + most_confirming;
  for (CaseResult& one : result.cases) {
    // A post-mortem has played those alone already.
    if (one.verdict != Verdict::fail || killers.contains(one.id)) continue;
    if (!in_time()) {
      ++left;
    } else if (passes_alone(one)) {
      passed_alone.push_back(&one);
    }
  }
  until_ = driver_.seam().now() + most_searching;
  for (CaseResult* const one : passed_alone) look_for_need(*one);
  if (left > 0) {
    result.header.notes.push_back(
        fmt::format("{} not played again on a fresh process: there was no time left",
                    base::counted(left, "failure was", "failures were")));
  }
}

/// Cases that are not of the suite were played first of all, against a fresh process.
bool Confirmation::passes_alone(CaseResult& one) {
  if (!start_afresh(one.id)) return false;
  auto alone = play_alone_(one.id);
  if (!alone) return false;
  const Verdict verdict = alone->verdict;
  one.repeated += {.failed = verdict == Verdict::fail ? 1U : 0U, .played = 1};
  if (verdict == Verdict::fail) take_again(one, std::move(*alone));
  return verdict == Verdict::pass;
}

Confirmation::Ids Confirmation::played_before(const std::string& id) const {
  Ids before;
  for (const Unit& unit : suite_) {
    for (const CaseEntry& entry : unit.cases) {
      if (entry.id == id) return before;
      before.push_back(entry.id);
    }
  }
  return before;
}

Confirmation::Ids Confirmation::same_unit_before(const std::string& id) const {
  for (const Unit& unit : suite_) {
    const auto own = std::ranges::find(unit.cases, id, &CaseEntry::id);
    if (own == unit.cases.end()) continue;
    Ids before;
    for (auto one = unit.cases.begin(); one != own; ++one) before.push_back(one->id);
    return before;
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
  return play_alone_(id);
}

bool Confirmation::fails_behind(CaseResult& one, std::span<const std::string> others,
                                const std::string& need) {
  auto played = behind(others, one.id);
  if (!played || played->verdict != Verdict::fail) return false;
  one.repeated += {.failed = 1, .played = 1};
  take_again(one, std::move(*played));
  one.reason += fmt::format("; needs {} before it, alone it passes", need);
  return true;
}

/// Behind other deliveries of its vector a case meets the keys that they could not remove: that is
/// their failure. Then comes that which others that failed alike were found to need.
void Confirmation::look_for_need(CaseResult& one) {
  if (deaths_ && was_left_alone(one)) {
    one = passed(std::move(one));
    return;
  }
  const Ids variants = same_unit_before(one.id);
  if (CaseResult behind_them = one;
      !variants.empty() && fails_behind(behind_them, variants, variants.front())) {
    one = passed(std::move(one));
    return;
  }
  const auto [need, is_new] = needs_.try_emplace(code_of(one));
  if (!is_new && !need->second.empty() && fails_behind(one, {&need->second, 1}, need->second))
    return;
  const Ids before = played_before(one.id);
  if (is_new && !before.empty() && searches_ < most_searches) {
    ++searches_;
    if (halve(one, before)) return;
  }
  one.verdict = Verdict::unstable;
  one.reason = "failed once, and passed alone on a fresh process: " + one.reason;
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
