#include "conformance/drivers/adapter/adapter_deaths.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace hallmark::conformance {
namespace {

using reports::CaseResult;
using reports::Death;
using reports::DeathCause;
using reports::Verdict;

/// How long a process is left alone at most, to see whether it ends by itself.
constexpr Time longest_vigil = 1'000'000'000;
constexpr Time slack = 20'000'000;

}  // namespace

bool AdapterDeaths::ends_by_itself(Time lived) {
  const Time vigil = std::min(lived + lived / 2 + slack, longest_vigil);
  if (survived_ >= vigil) return false;
  const auto link = host_.start();
  if (!link || !(*link)->how_it_ended(host_.now() + vigil).empty()) return true;
  survived_ = vigil;
  return false;
}

void AdapterDeaths::conclude(Death& death, CaseResult& played, bool again) {
  if (ends_by_itself(static_cast<Time>(death.lived.count()))) {
    death.cause = DeathCause::by_itself;
    death.conclusion = "it ends by itself: a process that nobody asked anything ended, too";
  } else if (again) {
    death.cause = DeathCause::one_case;
    death.killer = played.id;
    death.conclusion = fmt::format("{} kills it: alone against a fresh process, too", played.id);
  } else {
    death.conclusion = fmt::format(
        "{} was played then, and does not kill a fresh process: what was asked before has its part",
        played.id);
  }
  const bool told = played.verdict == Verdict::fail;
  if (!told && error_.empty())
    error_ = fmt::format("the adapter died during the run: {}; {}", death.how, death.conclusion);
}

CaseResult AdapterDeaths::look_into(CaseResult played, const std::function<CaseResult()>& play) {
  if (!client_.death() || client_.never_ran() || deaths_.size() >= most) return played;
  Death death = *client_.death();
  death.at = std::chrono::nanoseconds(static_cast<std::int64_t>(host_.now() - begun_));
  death.running = {played.id};
  bool again = client_.began_fresh();
  if (!again) {
    client_.renew();
    CaseResult alone = play();
    again = client_.death().has_value();
    if (again) played = std::move(alone);
  }
  conclude(death, played, again);
  deaths_.push_back(std::move(death));
  return played;
}

}  // namespace hallmark::conformance
