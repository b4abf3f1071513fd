#pragma once

#include "conformance/engine/suite.hpp"

/// Limits the play of a suite: how long it may take, and which cases are still played when the
/// target died so often that it was given up.
namespace hallmark::conformance {

/// The most times that a suite is continued.
inline constexpr unsigned most_rounds = 6;
/// When so many cases of an operation, or vectors in segments, have killed the target, and none of
/// these that was played has not, the others are not played.
inline constexpr std::size_t enough_killers = 3;

/// Why the other deliveries of a vector are not played.
inline constexpr std::string_view fails_as_a_whole = "the vector fails as a whole already";
/// Why they are not played yet: a post-mortem first shows whether the vector as a whole ends the
/// target.
inline constexpr std::string_view waits_for_the_whole =
    "not played: the target ended while the vector was played as a whole";

/// How the reason of a case begins that another ability kept from its own; it ends with ": " and
/// the case that tests that ability.
inline constexpr std::string_view rests_on_ability = "rests on ";

/// Skips the cases whose ability fails by itself, unless they ended the target: what they show
/// without it depends on chance.
void settle_abilities(const Suite& suite, reports::CertifyResult& result);

/// ns; so long the cases may take together: far longer than they wait for what they are about, and
/// a quarter of a deadline for each of them. `slow`: those that wait out a minute are among them.
Time longest_run(const Suite& suite, Time deadline, bool slow);

/// The result takes the place of that of the same case, if there is one.
void take(std::vector<reports::CaseResult>& cases, reports::CaseResult one);

/// Units of the cases that were skipped because the target died, without those of operations,
/// and those in segments, that kill it whenever they are tried: their results say so.
Suite left_after_deaths(const Suite& suite, reports::CertifyResult& result);

/// Units of the cases that come next, none of which has a result yet, without those that kill the
/// target whenever they are tried, as cases before them have shown: their results say so.
Suite left_of_next(const Suite& suite, reports::CertifyResult& result);

/// Returns units of the deliveries that wait for their vector and are to be played. Those of a
/// vector that fails as a whole are skipped for that reason instead. Precondition: somebody has
/// looked into the deaths of the target.
Suite settle_deliveries(const Suite& suite, reports::CertifyResult& result);

}  // namespace hallmark::conformance
