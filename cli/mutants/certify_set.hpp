#pragma once

#include <optional>

#include "cli/mutants/bug_sets.hpp"
#include "cli/mutants/localization_report.hpp"
#include "cli/mutants/lone_kills.hpp"
#include "cli/mutants/reference_player.hpp"

namespace hallmark::cli {

/// Draws the bugs of the plan, certifies the reference with all of them `repeat` times (at least
/// once) as a user would, and matches the findings of the first run with the bugs. Bugs that
/// `kills` does not know are certified alone before. `player` is of the plan's dialect and width.
/// Nothing: a signal came before the set was certified once; of later runs, those before it count.
std::optional<LocalizedSet> certify_set(const BugSetPlan& plan, const ReferencePlayer& player,
                                        unsigned repeat, LoneKills& kills);

}  // namespace hallmark::cli
