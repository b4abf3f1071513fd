#pragma once
#include <string>
#include <vector>

#include "reports/result.hpp"

namespace hallmark::reports {

/// The evidence for an answer, each as one line for people.
struct Clue {
  std::string sent;   ///< "WHOAMI: 18"; empty where nothing was sent
  std::string came;   ///< "01 5f 02 … (17 bytes)"; empty where nothing came
  std::string shows;  ///< the conclusion
  bool operator==(const Clue&) const = default;
};

/// The answer to one question.
struct Finding {
  std::string subject;  ///< "dialect", "width", or the id of a reading
  std::string answer;   ///< empty: could not be told
  std::vector<Clue> clues;
  bool operator==(const Finding&) const = default;
};

/// The identity of an unknown endpoint. The header's dialect, width and profile are empty where
/// they are not known; its readings are those told that are not as in deployed.
struct IdentifyResult {
  RunHeader header;
  std::string stranger;  ///< one line that says why it is nothing known; empty otherwise
  std::vector<Finding> findings;
  bool operator==(const IdentifyResult&) const = default;
};

/// Failures where it is a stranger, indeterminate where dialect or width could not be told.
ExitCode exit_code(const IdentifyResult& result);

}  // namespace hallmark::reports
