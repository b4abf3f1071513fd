#pragma once

#include <functional>
#include <optional>

#include "conformance/engine/run_context.hpp"
#include "conformance/engine/suite.hpp"

namespace hallmark::conformance {

/// Plays every failed case of a run once more, alone and against a process that was asked nothing
/// before: how it ends there is its verdict. One that passes alone is played behind the cases
/// before it. If it fails there, its reason names what it needs; if not, it is unstable.
class Confirmation {
 public:
  using PlayAlone = std::function<std::optional<reports::CaseResult>(const std::string& id)>;

  /// ns; for all failures of a run together.
  static constexpr Time most_confirming = 20'000'000'000;
  /// So many failures that pass alone are looked into.
  static constexpr unsigned most_searches = 3;

  Confirmation(RunContext& context, const Suite& suite, PlayAlone play_alone);

  /// Replaces the verdicts in `result`. Where time ran out, a note of the run says how many
  /// failures were left as they were.
  void confirm(reports::CertifyResult& result);

 private:
  using Ids = std::vector<std::string>;

  bool start_afresh(const std::string& id);
  void confirm(reports::CaseResult& one);
  void look_for_cause(reports::CaseResult& one);
  /// The case behind those others, against a fresh process; nothing where there is none.
  std::optional<reports::CaseResult> behind(std::span<const std::string> others,
                                            const std::string& id);
  Ids played_before(const std::string& id) const;
  bool in_time() const { return !context_.stopped() && context_.network.now() < until_; }

  RunContext& context_;
  const Suite& suite_;
  PlayAlone play_alone_;
  Time until_;
  unsigned searches_ = 0;
};

}  // namespace hallmark::conformance
