#pragma once

#include "conformance/drivers/datagram/datagram_player.hpp"
#include "conformance/engine/asked.hpp"

namespace hallmark::conformance {

/// What was found about one reading, and the case that stands for it in reports.
struct DatagramAnswer {
  protocol::ReadingName reading;
  std::string told;  ///< id of the answer; empty: it could not be told
  PlayedCase played;
};

/// Asks the target for each reading of the dialect that has several answers, each twice. `readings`
/// leaves with all that was told. `pins`: what the target is held to.
std::vector<DatagramAnswer> ask_readings(DatagramContext& context, protocol::Readings& readings,
                                         const std::vector<Pin>& pins, const std::string& prefix);

/// The cases of those readings, to be listed and chosen among.
DatagramCases reading_cases(const protocol::Dialect& dialect, const std::string& prefix);

}  // namespace hallmark::conformance
