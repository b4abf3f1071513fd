#pragma once

#include <functional>
#include <map>
#include <optional>

#include "conformance/engine/patience.hpp"
#include "conformance/engine/run.hpp"
#include "conformance/supervisor/post_mortem.hpp"

namespace hallmark::conformance {

/// Plays every failed case of a run once more, alone and against a process that was asked nothing
/// before: how it ends there is its verdict. One that passes alone is played behind what was played
/// before it: if it fails there, its reason names what it needs; if not, it is unstable.
class Confirmation {
 public:
  /// ns; for all failures of a run together, and after that for those that passed alone.
  static constexpr Time most_confirming = 20'000'000'000;
  static constexpr Time most_searching = 8'000'000'000;
  /// ns; a reply is waited for at least so long.
  static constexpr Time shortest_wait = 200'000'000;
  /// So many times everything before a case is halved to find what it needs.
  static constexpr unsigned most_searches = 3;

  Confirmation(RunDriver& driver, const Suite& suite, Patience& patience, PlayAlone play_alone);

  /// Replaces the verdicts in `result`. Where time ran out, a note of the run says how many
  /// failures were left as they were.
  void confirm(reports::CertifyResult& result);

 private:
  using Ids = std::vector<std::string>;
  using CaseResult = reports::CaseResult;

  bool start_afresh(const std::string& id);
  /// Returns true if it passes alone.
  bool passes_alone(CaseResult& one);
  void look_for_need(CaseResult& one);
  bool fails_behind(CaseResult& one, std::span<const std::string> others, const std::string& need);
  bool halve(CaseResult& one, const Ids& before);
  /// The case behind those others, against a fresh process; empty where there is none.
  std::optional<CaseResult> behind(std::span<const std::string> others, const std::string& id);
  Ids same_unit_before(const std::string& id) const;
  Ids played_before(const std::string& id) const;
  bool in_time() { return !driver_.stopped() && driver_.seam().now() < until_; }

  RunDriver& driver_;
  const Suite& suite_;
  Patience& patience_;
  PlayAlone play_alone_;
  Time until_ = 0;
  unsigned searches_ = 0;
  bool deaths_ = false;  ///< the target died or hung during the run
  /// By code of a failure: the case that such failures were found to need; empty: none was found.
  std::map<std::string, std::string> needs_;
};

}  // namespace hallmark::conformance
