#pragma once

#include "conformance/drivers/stream/player.hpp"
#include "conformance/engine/asked.hpp"
#include "conformance/identify/identification.hpp"
#include "conformance/suites/throttr/readings/probe.hpp"

namespace hallmark::conformance {

/// What was found about one reading, and the case that stands for it in reports: it passes when
/// both askings told the same and that is what the target is held to.
struct Answered {
  protocol::ReadingName reading;
  Told told;
  reports::CaseResult result;
  /// What passed in both askings, where they came to their ends.
  std::vector<reports::Exchange> exchanges = {};
};

struct SurveyOptions {
  std::string nonce;
  std::string prefix;  ///< of the ids of the cases: `throttr-7.1/u16`
  Cost most = Cost::patient;
  /// Answers that the target is held to.
  std::vector<Pin> pins = {};
  const std::atomic<bool>* stop = nullptr;
  /// No probe begins after that; 0: none is left out.
  Time until = 0;
};

/// Asks for every reading of the dialect that has several answers: layouts as identification found
/// them are asked for once more, behaviour twice. `readings` come with the layouts, and leave with
/// all that was told; what was not stays as it was.
std::vector<Answered> survey(Network& network, Patience& patience, protocol::Width width,
                             protocol::Readings& readings, const std::vector<Finding>& layouts,
                             const SurveyOptions& options);

/// The id of the case of a reading.
std::string reading_case(std::string_view prefix, std::string_view reading);

/// The cases of all readings with several answers, to be listed and chosen among; they are played
/// by `survey` only.
Suite suite_of_readings(const protocol::Dialect& dialect, const std::string& prefix);

}  // namespace hallmark::conformance
