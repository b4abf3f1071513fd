#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "conformance/supervisor/supervisor.hpp"

/// Names the questions to a supervisor, and writes its answers, in records.
namespace hallmark::conformance {

namespace questions {

inline constexpr std::string_view renewed = "renewed";  ///< text: why not; empty: it was
inline constexpr std::string_view generation = "generation";
inline constexpr std::string_view given_up = "given-up";      ///< text: why; empty: it is not
inline constexpr std::string_view disturbed = "disturbed";    ///< 1: it died during the case
inline constexpr std::string_view running = "running";        ///< 1: there is a process to watch
inline constexpr std::string_view starved = "starved";        ///< 1: it was kept from running
inline constexpr std::string_view stuck = "stuck";            ///< 1: it answers nobody
inline constexpr std::string_view hung = "hung";              ///< 1: it was ended, as it hung
inline constexpr std::string_view died = "died";              ///< 1: it has died
inline constexpr std::string_view gone = "gone";              ///< 1: it has died, or was dying
inline constexpr std::string_view deaths = "deaths";          ///< number of deaths noticed
inline constexpr std::string_view last_hung = "last-hung";    ///< 1: the last of them was a hang
inline constexpr std::string_view revived = "revived";        ///< text: why not; empty: one runs
inline constexpr std::string_view ended = "ended";            ///< text: how; empty: it goes on
inline constexpr std::string_view figures = "figures";        ///< text: see `text_of`
inline constexpr std::string_view casualty = "casualty";      ///< text: the next one
inline constexpr std::string_view casualties = "casualties";  ///< number of casualties
inline constexpr std::string_view examined = "examined";

}  // namespace questions

/// "1 14123008 9 3 1100000000 0": which process, bytes, descriptors, threads, ns, runnable
/// processes.
std::string text_of(const ProcessFigures& figures);
/// Empty if the text is not such figures.
std::optional<ProcessFigures> figures_in(const std::string& text);

/// JSON on a line.
std::string text_of(const Casualty& casualty);
/// Empty if the text is not a casualty.
std::optional<Casualty> casualty_in(std::string_view text);

}  // namespace hallmark::conformance
