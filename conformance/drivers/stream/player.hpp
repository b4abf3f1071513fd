#pragma once

#include "conformance/engine/case_play.hpp"

namespace hallmark::conformance {

/// Plays the cases of a unit in their order, each to a verdict. Never throws for what a target
/// does.
std::vector<reports::CaseResult> play_unit(RunContext& context, Housekeeper& housekeeper,
                                           const Unit& unit);

/// An indeterminate case is played again, at most this many times in all.
inline constexpr int most_attempts = 4;

}  // namespace hallmark::conformance
