#pragma once

#include <functional>
#include <memory>
#include <set>

#include "conformance/engine/asked.hpp"
#include "conformance/engine/patience.hpp"
#include "conformance/identify/identification.hpp"
#include "conformance/suites/throttr/readings/survey.hpp"

namespace hallmark::conformance {

/// The knowledge that any judgement needs: what the target speaks, and what it is held to.
struct Basis {
  std::string run_error;  ///< one line: there is no target; empty otherwise
  /// The format that the target is held to; nothing if the request leaves that open and the target
  /// does not tell it.
  std::unique_ptr<WireFormat> format;
  reports::CaseResult dialect_case;
  /// Not empty: the target speaks something else, so no other case is played; one line.
  std::string mismatch;
  /// The likely fault of the target as a whole; may be empty.
  std::string likely_cause;
  std::vector<std::string> notes;
  /// Has asked for the documented readings; null: the target's layouts are not known.
  std::unique_ptr<ReadingSurvey> survey;
};

/// The readings that the chosen cases rest on, by what is known of the target so far; nothing: all.
using ReadingsNeeded = std::function<std::optional<std::set<std::string>>(const WireFormat&)>;

struct BasisOptions {
  Asked asked;
  Time deadline = 0;
  std::string nonce;
  const std::atomic<bool>* stop = nullptr;
  ReadingsNeeded readings_needed = {};
};

/// Identifies the target, compares it with what was asked for, and asks for the readings that
/// documented requests show.
Basis find_basis(Network& network, Patience& patience, const BasisOptions& options);

/// The answers that a target which told those is held to.
protocol::Readings held_to(const Asked& asked, const protocol::Readings& told);

/// The readings that were asked for so far, as reports name them. `held`: what the target is held
/// to.
std::vector<reports::ReadingAnswer> answers_of(const ReadingSurvey& survey,
                                               const protocol::Readings& held);

/// "throttr-7.1/u16"; `auto` for what is open.
std::string id_prefix(const protocol::Dialect* dialect, std::optional<protocol::Width> width);

}  // namespace hallmark::conformance
