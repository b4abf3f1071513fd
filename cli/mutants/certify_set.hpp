#pragma once

#include <optional>

#include "cli/mutants/bug_sets.hpp"
#include "cli/mutants/localization_report.hpp"
#include "cli/mutants/lone_kills.hpp"
#include "cli/mutants/reference_player.hpp"

namespace hallmark::cli {

/// Names a bug and where it is, for LoneKills.
BugPlace place_of(const faults::Bug& bug, const protocol::Dialect& dialect, protocol::Width width);

/// Draws the bugs of the plan, certifies the reference with all of them `repeat` times (at least
/// once) as a user would, and matches the findings of the first run with the bugs. What
/// `kills` does not know of a bug is found out by playing it alone. `player` is of the plan's
/// dialect and width. Nothing: a signal came before the set was certified once; of later runs,
/// those before it count.
std::optional<LocalizedSet> certify_set(const BugSetPlan& plan, const ReferencePlayer& player,
                                        unsigned repeat, LoneKills& kills);

}  // namespace hallmark::cli
