#pragma once

#include <optional>
#include <string>
#include <vector>

#include "protocol/readings.hpp"

namespace hallmark::conformance {

/// An answer to a reading that a target is held to, whatever it is found to give.
struct Pin {
  std::string reading;
  std::string answer;
  bool operator==(const Pin&) const = default;
};

/// The format that a target is said to speak. The target is asked for all that is left open.
struct Asked {
  const protocol::Dialect* dialect = nullptr;     ///< null: any
  std::optional<protocol::Width> width = {};      ///< nothing: any
  std::optional<protocol::Profile> profile = {};  ///< nothing: the answers it gives
  std::vector<Pin> pins = {};                     ///< a later one wins
};

}  // namespace hallmark::conformance
