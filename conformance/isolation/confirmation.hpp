#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>

#include "conformance/engine/patience.hpp"
#include "conformance/engine/run.hpp"
#include "conformance/isolation/steadiness.hpp"
#include "conformance/supervisor/post_mortem.hpp"

namespace hallmark::conformance {

/// Plays every failed case of a run once more, alone and against a process that was asked nothing
/// before: how it ends there is its verdict. One that passes alone is played behind what comes
/// before it in the suite: if it fails there, its reason names what it needs; if not, it passes,
/// and the run as a whole is unstable. Counts bound it, so that a busy machine comes to the same
/// verdicts; time does only where the target makes each case last.
class Confirmation {
 public:
  /// So many cases are played again alone.
  static constexpr std::size_t most_confirmed = 600;
  /// So many searches for what a case needs, each behind so many cases before it at most.
  static constexpr unsigned most_searches = 3;
  static constexpr std::size_t most_before = 100;
  /// ns; for all failures of a run together, and after that for those that passed alone.
  static constexpr Time most_confirming = 60'000'000'000;
  static constexpr Time most_searching = 8'000'000'000;
  /// ns; a reply is waited for at least so long, and longer while the target is kept from the
  /// processor.
  static constexpr Time shortest_wait = 50'000'000;

  Confirmation(RunDriver& driver, const Suite& suite, Patience& patience, PlayAlone play_alone);

  /// Replaces the verdicts in `result`. A note of the run says how many failures were left as they
  /// were. Other deliveries of a vector follow it: they are skipped if it fails as a whole, and
  /// played alone if it does not fail after all.
  void confirm(reports::CertifyResult& result);

 private:
  using Ids = std::vector<std::string>;
  using CaseResult = reports::CaseResult;

  void note_deliveries(reports::CertifyResult& result);
  bool fails_as_whole(const CaseResult& one) const;
  void confirm(CaseResult& one);
  bool start_afresh(const std::string& id);
  /// Makes a case that passes alone a failure that names what it needs, or a pass.
  void explain_pass(CaseResult& one);
  bool needs_others(CaseResult& one);
  bool fails_behind(CaseResult& one, std::span<const std::string> others, const std::string& need);
  bool halve(CaseResult& one, const Ids& before);
  /// The case behind those others, against a fresh process; empty where there is none.
  std::optional<CaseResult> behind(std::span<const std::string> others, const std::string& id);
  Ids played_before(const std::string& id) const;
  bool in_time() { return !driver_.stopped() && driver_.seam().now() < until_; }

  RunDriver& driver_;
  const Suite& suite_;
  Patience& patience_;
  PlayAlone play_alone_;
  Time until_ = 0;
  std::size_t confirmed_ = 0;
  std::size_t left_ = 0;  ///< as they were
  unsigned searches_ = 0;
  bool deaths_ = false;           ///< the target died or hung during the run
  std::set<std::string> played_;  ///< and did not end the target
  /// By the id of another delivery: the vector as a whole.
  std::map<std::string, const CaseResult*> wholes_;
  std::vector<CaseResult*> passed_alone_;
  std::vector<Wavering> wavering_;
  /// By code of a failure: the case that such failures were found to need; empty: none was found.
  std::map<std::string, std::string> needs_;
};

}  // namespace hallmark::conformance
