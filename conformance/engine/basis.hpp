#pragma once

#include "conformance/engine/asked.hpp"
#include "conformance/engine/patience.hpp"
#include "conformance/identify/identification.hpp"
#include "conformance/suites/throttr/readings/survey.hpp"

namespace hallmark::conformance {

/// What has to be known before anything can be judged: what the target speaks, and what it is held
/// to.
struct Basis {
  std::string run_error;  ///< one line: there is no target; empty otherwise
  /// What the target is held to; nothing where what was asked for leaves that open and the target
  /// does not tell it.
  std::unique_ptr<WireFormat> format;
  /// The case of the dialect, and those of the readings in the order they were asked.
  std::vector<reports::CaseResult> cases;
  /// Not empty: the target speaks something else, so no other case is played; one line.
  std::string mismatch;
  /// What seems to be wrong with the target as a whole; may be empty.
  std::string likely_cause;
  std::vector<reports::ReadingAnswer> answers;
  std::vector<std::string> notes;
};

struct BasisOptions {
  Asked asked;
  Time deadline = 0;
  std::string nonce;
  const std::atomic<bool>* stop = nullptr;
};

/// Identifies the target, compares it with what was asked for, and asks for its readings.
Basis find_basis(Network& network, Patience& patience, const BasisOptions& options);

/// "throttr-7.1/u16"; `auto` for what is open.
std::string id_prefix(const protocol::Dialect* dialect, std::optional<protocol::Width> width);

}  // namespace hallmark::conformance
