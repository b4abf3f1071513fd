#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>

#include "conformance/engine/run.hpp"
#include "conformance/isolation/steadiness.hpp"
#include "conformance/judgement/lapses.hpp"
#include "conformance/supervisor/post_mortem.hpp"

namespace hallmark::conformance {

/// Plays every failed case of a run once more, alone and against a process that was asked nothing
/// before, unless a post-mortem has done so: how it ends there is its verdict. One that passes
/// alone is played behind what comes before it in the suite: if it fails there, its reason names
/// what it needs; if not, it passes, and the run as a whole is unstable.
///
/// One that fails alone for another field of the same reply than beside others is played alone
/// twice: if the two differ, its code is the first field that was wrong, without a value.
///
/// A case that allowed no verdict is played alone, too, unless many are: what kept one of them from
/// a verdict, such as datagrams that a busy machine lost, is seldom there twice.
///
/// If the target loses or changes some of its replies, it plays the cases that passed alone, too,
/// unless it does so at random, since chance decided whether one of theirs was among them. One that
/// fails alone is played behind another case: if it fails there in the same way, that is its
/// verdict; if it fails in another, it is skipped, as the lapses decide what becomes of it. The
/// case that shows them fails for all of these.
///
/// A vector that passed as a whole and fails in two other deliveries at least, alone and alike, is
/// played alone, too, unless many do so, which then is how the target is.
///
/// A case that was skipped because an ability failed it is played alone, too.
///
/// If most vectors that pass as a whole fail in segments, the target does not put these together.
/// The bytes at which segments end, and how much the target reads at once, decide what each of them
/// shows: the code of all of them says no more than that. The reason still has what was seen.
///
/// Counts bound it, so that a busy machine comes to the same verdicts; time does only where the
/// target makes each case last.
class Confirmation {
 public:
  /// How many cases are played again alone.
  static constexpr std::size_t most_confirmed = 600;
  /// The same for a target with lapses, of which cases that passed are played, too.
  static constexpr std::size_t most_confirmed_despite_lapses = 1200;
  /// How many cases without a verdict are played again, at most: where more have none, none is.
  static constexpr std::ptrdiff_t most_without_verdict = 8;
  /// How often a case that fails alone is played behind another, at most, where a target lapses at
  /// random; elsewhere once.
  static constexpr unsigned most_behind_other = 5;
  /// How many searches there are for what a case needs, and how many cases each plays before it at
  /// most.
  static constexpr unsigned most_searches = 3;
  static constexpr std::size_t most_before = 100;
  /// How many vectors that pass as a whole, and fail in two other deliveries, are played again, at
  /// most. Where there are more, those that pass in no other delivery are, or none.
  static constexpr std::size_t most_lone_passes = 8;
  /// How many cases that are sent in segments fail at least where the target puts none together.
  static constexpr std::size_t least_in_segments = 12;
  /// ns; for all failures of a run together, and after that for those that passed alone.
  static constexpr Time most_confirming = 60'000'000'000;
  static constexpr Time most_searching = 8'000'000'000;

  Confirmation(RunDriver& driver, const Suite& suite, PlayAlone play_alone);

  /// Replaces the verdicts in `result`. A note of the run says how many failures were left as they
  /// were. Other deliveries of a vector follow it: they are skipped if it fails as a whole, and
  /// played alone if it does not fail after all.
  void confirm(reports::CertifyResult& result);

 private:
  using Ids = std::vector<std::string>;
  using CaseResult = reports::CaseResult;

  void note_deliveries(reports::CertifyResult& result);
  /// Plays vectors alone that passed as a whole, and hardly in another delivery: beside other
  /// cases, luck may have been with them.
  void doubt_lone_passes(reports::CertifyResult& result);
  /// Plays cases alone that were skipped because an ability failed them: beside other cases, one of
  /// these may have been in the way.
  void doubt_abilities(reports::CertifyResult& result);
  /// If the target does not put requests together from their segments, says so of each case that
  /// fails in segments.
  void tell_of_segments(reports::CertifyResult& result) const;
  bool fails_as_whole(const CaseResult& one) const;
  /// Confirms the case that asks again and again. Returns the lapses that it shows alone, too.
  Lapses lapses_shown(CaseResult& asking);
  bool may_be_lapse(const CaseResult& one) const;
  /// Returns true if so many replies meet no lapse, alone on a fresh process: a target sends more
  /// than are counted, when it cleans up, delivers and answers pings.
  bool meets_no_lapse(std::uint64_t replies) const { return 2 * replies < first_lapse_; }
  /// Plays the case alone, and behind another where it fails.
  void confirm_despite_lapses(CaseResult& one);
  void confirm_behind_other(CaseResult& one, const CaseResult& alone);
  std::string why_left() const;
  void leave_to_lapses(CaseResult& one);
  void confirm(CaseResult& one);
  /// Plays the case alone once more, which failed there for another field than beside others.
  void settle(CaseResult& one, CaseResult& alone);
  bool start_afresh(const std::string& id);
  /// Makes a case that passes alone a failure that names what it needs, or a pass.
  void explain_pass(CaseResult& one);
  bool needs_others(CaseResult& one);
  bool fails_behind(CaseResult& one, std::span<const std::string> others, const std::string& need);
  bool halve(CaseResult& one, const Ids& before);
  /// The case behind those others, against a fresh process; empty where there is none.
  std::optional<CaseResult> behind(std::span<const std::string> others, const std::string& id);
  bool is_in_suite(const std::string& id) const;
  Ids played_before(const std::string& id) const;
  bool in_time() { return !driver_.stopped() && driver_.seam().now() < until_; }

  RunDriver& driver_;
  const Suite& suite_;
  PlayAlone play_alone_;
  Time until_ = 0;
  std::size_t confirmed_ = 0;
  std::size_t left_ = 0;       ///< as they were
  std::size_t undecided_ = 0;  ///< cases whose result lapses decide
  unsigned searches_ = 0;
  Lapses lapses_ = Lapses::none;
  std::string lapses_shown_by_;  ///< the case that shows them
  /// Number of the first request of a fresh process that meets one; at random, the mean of two.
  std::size_t first_lapse_ = 0;
  std::uint64_t replies_to_last_ = 0;  ///< to the case that was played last behind others
  bool at_random_ = false;             ///< a fresh process does not always lapse at that request
  std::string other_;                  ///< a case that passes alone in spite of that
  bool deaths_ = false;                ///< the target died or hung during the run
  bool few_without_verdict_ = false;   ///< and so they are played again
  std::set<std::string> played_;       ///< and did not end the target
  /// The vector as a whole, keyed by the id of another delivery.
  std::map<std::string, const CaseResult*> wholes_;
  /// Deliveries in parts, which wait behind each part for a reply to another connection.
  std::set<std::string> paced_;
  std::vector<CaseResult*> passed_alone_;
  std::vector<Wavering> wavering_;
  /// The case that failures of a code were found to need, keyed by that code; empty: none was
  /// found.
  std::map<std::string, std::string> needs_;
};

}  // namespace hallmark::conformance
