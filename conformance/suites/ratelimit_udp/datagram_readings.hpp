#pragma once

#include <functional>
#include <optional>
#include <set>
#include <string>

#include "conformance/drivers/datagram/datagram_player.hpp"
#include "conformance/engine/asked.hpp"

namespace hallmark::conformance {

/// The finding about one reading, and the case that stands for it in reports.
struct DatagramAnswer {
  protocol::ReadingName reading;
  std::string told;  ///< id of the answer; empty: it could not be told
  PlayedCase played;
  std::string not_asked = {};  ///< why; empty: it was asked
};

struct DatagramQuestions {
  std::string prefix;           ///< the start of the ids of their cases
  std::vector<Pin> pins = {};   ///< answers that the target is held to
  std::vector<Pin> given = {};  ///< answers that it is held to and not asked for
  bool polite = false;          ///< only what is documented is asked for
  /// The readings that are asked for; nothing: all.
  std::optional<std::set<std::string>> wanted = {};
  /// Plays the case of one.
  std::function<PlayedCase(const DatagramCase&)> play = {};
};

/// Asks the target for each reading of that danger that has several answers, each twice. `readings`
/// leaves with all that was told.
std::vector<DatagramAnswer> ask_readings(DatagramContext& context, Danger danger,
                                         protocol::Readings& readings,
                                         const DatagramQuestions& questions);

/// The danger of asking for a reading.
Danger danger_of_datagram_reading(std::string_view reading);

/// The cases of those readings, to be listed and chosen among.
DatagramCases reading_cases(const protocol::Dialect& dialect, const std::string& prefix);

}  // namespace hallmark::conformance
