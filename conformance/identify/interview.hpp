#pragma once

#include "conformance/identify/candidate.hpp"
#include "conformance/identify/contact.hpp"

namespace hallmark::conformance {

/// The conclusions from the layouts of a target's messages.
struct Transcript {
  /// Null if what came fits no dialect, or several.
  const protocol::Dialect* dialect = nullptr;
  /// One for each dialect that is still possible.
  std::vector<Candidate> candidates;
  std::vector<Clue> dialect_clues;
  /// Readings that were told, and those of layouts that could not be, each with its clues.
  std::vector<Finding> findings;
};

/// Asks a target that speaks 6.0 or later, at a width that is known, what tells its dialect and the
/// layouts of its messages: WHOAMI, CONNECTIONS, INFO, LIST, CHANNELS, PUBLISH, SET and CONNECTION
/// as far as they are needed. Keys and channels are its own, and removed. Waits as a `Line`.
Transcript interview(Network& network, Time until, const std::string& nonce, protocol::Width width,
                     const std::atomic<bool>* stop);

}  // namespace hallmark::conformance
