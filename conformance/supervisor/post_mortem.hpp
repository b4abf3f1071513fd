#pragma once

#include <optional>

#include "conformance/drivers/stream/wire_format.hpp"
#include "conformance/supervisor/attendant.hpp"

namespace hallmark::conformance {

/// Plays the case of that id against the process that runs. Nothing: no such case can be played.
using PlayAlone = std::function<std::optional<reports::CaseResult>(const std::string& id)>;

/// The times that a process is left alone to see whether it ends by itself, in ns.
inline constexpr Time brief_vigil = 1'000'000'000;
inline constexpr Time longest_vigil = 5'000'000'000;
/// The most cases that are played again.
inline constexpr std::size_t most_played_again = 200;

/// Keeps what a run learnt from processes that were left alone, for later deaths.
struct Vigils {
  Time survived = 0;        ///< ns; a process lived at least so long
  Time ended_after = 0;     ///< ns; a process ended after so long
  std::string ended_how{};  ///< it ended so; empty: none did
  Time answered_after = 0;  ///< ns; a process answered a case after so long
  Time hung_after = 0;      ///< ns; a process hung after so long; 0: none did
};

/// Adds the deaths that were not looked into to the result of a run that is over. What ran at one
/// of them has no verdict, unless the dead process had been asked nothing else.
void note_deaths(Attendant& attendant, reports::CertifyResult& result);

/// Finds out why the target died: plays the cases that ran at each death again, each alone against
/// a process of its own, and leaves a process alone for as long as the dead one lived, unless one
/// was already. Adds the deaths to the result, replaces the results of the cases that were played
/// again, and fails those that kill. A target that ends by itself is an error of the run. Deaths
/// that are in the result already are left as they are. `format` explains what was sent; null:
/// nothing does. Afterwards a fresh process runs.
void hold_post_mortem(Attendant& attendant, const PlayAlone& play_alone, const WireFormat* format,
                      reports::CertifyResult& result, Vigils& vigils);

}  // namespace hallmark::conformance
