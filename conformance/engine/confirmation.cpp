#include "conformance/engine/confirmation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/text.hpp"
#include "conformance/supervisor/supervisor.hpp"

namespace hallmark::conformance {
namespace {

using reports::CaseResult;
using reports::Verdict;

}  // namespace

Confirmation::Confirmation(RunContext& context, const Suite& suite, PlayAlone play_alone)
    : context_(context),
      suite_(suite),
      play_alone_(std::move(play_alone)),
      until_(context.network.now() + most_confirming) {}

bool Confirmation::start_afresh(const std::string& id) {
  context_.network.begin_part("afresh: " + id);
  Supervisor* const supervisor = context_.network.supervisor();
  const bool started = supervisor != nullptr && supervisor->renew();
  return context_.network.shared(Shared::afresh, started ? 1 : 0) != 0;
}

void Confirmation::confirm(reports::CertifyResult& result) {
  std::set<std::string> killers;
  for (const reports::Death& death : result.deaths) killers.insert(death.killer);
  std::size_t left = 0;
  for (CaseResult& one : result.cases) {
    // A post-mortem has played those alone already.
    if (one.verdict != Verdict::fail || killers.contains(one.id)) continue;
    if (in_time()) {
      confirm(one);
    } else {
      ++left;
    }
  }
  if (left > 0) {
    result.header.notes.push_back(
        fmt::format("{} not played again on a fresh process: there was no time left",
                    base::counted(left, "failure was", "failures were")));
  }
}

void Confirmation::confirm(CaseResult& one) {
  if (!start_afresh(one.id)) return;
  auto alone = play_alone_(one.id);
  // What is no case of the suite was played first of all, against a fresh process.
  if (!alone) return;
  if (alone->verdict == Verdict::fail) {
    one = std::move(*alone);
  } else if (alone->verdict == Verdict::pass) {
    look_for_cause(one);
  }
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

std::optional<CaseResult> Confirmation::behind(std::span<const std::string> others,
                                               const std::string& id) {
  if (!start_afresh(id)) return std::nullopt;
  for (const std::string& other : others) {
    if (!in_time()) return std::nullopt;
    static_cast<void>(play_alone_(other));
  }
  return play_alone_(id);
}

/// Halves what was played before: the last case without which it passes is the one that it needs.
void Confirmation::look_for_cause(CaseResult& one) {
  const Ids before = played_before(one.id);
  const bool search = searches_ < most_searches && !before.empty();
  if (search) ++searches_;
  auto failing = search ? behind(before, one.id) : std::nullopt;
  if (!failing || failing->verdict != Verdict::fail) {
    one.verdict = Verdict::unstable;
    one.reason = fmt::format("failed once, and passed alone on a fresh process{}: {}",
                             failing ? " and behind all cases before it" : "", one.reason);
    return;
  }
  std::size_t fails = 0;               // behind those from here on it fails …
  std::size_t passes = before.size();  // … and behind those from here on it passes
  while (passes - fails > 1 && in_time()) {
    const std::size_t middle = fails + (passes - fails) / 2;
    auto half = behind(std::span(before).subspan(middle), one.id);
    if (half && half->verdict == Verdict::fail) {
      fails = middle;
      failing = std::move(half);
    } else {
      passes = middle;
    }
  }
  auto pair = behind(std::span(before).subspan(fails, 1), one.id);
  const bool one_is_enough = pair && pair->verdict == Verdict::fail;
  one = one_is_enough ? std::move(*pair) : std::move(*failing);
  one.reason += one_is_enough
                    ? fmt::format("; needs {} before it, alone it passes", before[fails])
                    : fmt::format("; needs {} and cases after it, alone it passes", before[fails]);
}

}  // namespace hallmark::conformance
