#pragma once

#include "conformance/engine/asked.hpp"
#include "conformance/engine/suite.hpp"
#include "conformance/suites/throttr/readings/survey.hpp"

namespace hallmark::conformance {

/// Makes the suite for what the target is held to; called again when more of that is known.
/// Error: one line that says why there is none.
using SuiteMaker = std::function<base::Expected<Suite, std::string>(const WireFormat&)>;

/// The suite of a run in the order of danger. The target is asked for the readings of one danger
/// just before the cases of that danger: no case rests on a reading that is more dangerous.
class PlayOrder {
 public:
  /// `format`: what the target is held to; changes with every answer. `survey` has asked for the
  /// documented readings; null: nothing is asked.
  PlayOrder(WireFormat& format, ReadingSurvey* survey, const Asked& asked, SuiteMaker make_suite)
      : format_(format), survey_(survey), asked_(asked), make_suite_(std::move(make_suite)) {}

  /// Asks for the readings of that danger.
  void ask(RunContext& context, Danger danger);
  /// Makes the suite if that is not done for what is known now.
  void make();

  /// All units but those of readings that were asked for.
  const Suite& suite() const { return suite_; }
  /// Why there is no suite for what is known now; empty: there is one.
  const std::string& error() const { return error_; }
  /// Adds the cases of readings that are chosen and not there yet.
  void take_readings(reports::CertifyResult& result) const;
  /// Leaves out the readings that were not asked for, in the result as well.
  void leave_out_rest(const std::string& reason, reports::CertifyResult& result);
  /// Puts the cases in the order of the suite, whatever order they were played in.
  void sort(std::vector<reports::CaseResult>& cases) const;

 private:
  WireFormat& format_;
  ReadingSurvey* survey_;
  const Asked& asked_;
  SuiteMaker make_suite_;
  std::optional<protocol::Readings> made_for_;
  Suite suite_;
  std::vector<std::string> order_;  ///< the ids of all chosen cases
  std::set<std::string> chosen_readings_;
  std::string error_;
};

}  // namespace hallmark::conformance
