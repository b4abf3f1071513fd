#include "conformance/engine/run.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>

#include "conformance/engine/rounds.hpp"
#include "conformance/engine/run_header.hpp"
#include "conformance/isolation/confirmation.hpp"
#include "conformance/isolation/steadiness.hpp"
#include "conformance/supervisor/post_mortem.hpp"

namespace hallmark::conformance {
namespace {

using reports::CaseResult;
using reports::CertifyResult;
using reports::Verdict;

class Run {
 public:
  Run(RunDriver& driver, Patience& patience, const CertifyOptions& options)
      : driver_(driver), patience_(patience), options_(options), started_(driver.seam().now()) {
    fill_header(result_, options);
  }

  CertifyOutcome whole() {
    auto opening = driver_.open(result_);
    if (!opening) return opening.error();
    if (result_.run_error.empty()) go_on(std::move(*opening));
    if (!error_.empty()) return error_;
    return finish();
  }

 private:
  void go_on(Opening opening);
  void play();
  void play_by_danger();
  void play_rounds(const Suite& suite, const ScheduleOptions& options);
  Suite next(Danger danger);
  ScheduleOptions schedule();
  void sort_cases();
  void skip_rest();
  void skip(const Suite& suite, const std::string& reason);
  void confirm_failures();
  std::optional<CaseResult> play_alone(const std::string& id);
  void look_into_deaths();
  CertifyResult finish();

  RunDriver& driver_;
  Patience& patience_;
  const CertifyOptions& options_;
  Time started_;
  Suite suite_;
  std::set<std::string> handed_out_;  ///< the first case of each unit
  std::string error_;                 ///< there is no suite; empty: there is one
  Progress progress_;                 ///< the progress last reported
  const WireFormat* format_ = nullptr;
  CertifyResult result_;
  Vigils vigils_;
};

void Run::go_on(Opening opening) {
  format_ = opening.format;
  look_into_deaths();
  suite_ = std::move(opening.suite);
  if (driver_.stopped()) {
    result_.interrupted = true;
  } else if (!opening.mismatch.empty()) {
    skip(suite_, opening.mismatch);
  } else {
    play();
  }
}

void Run::skip(const Suite& suite, const std::string& reason) {
  for (const Unit& unit : suite) {
    for (const CaseEntry& entry : unit.cases)
      result_.cases.push_back(not_played(entry, Verdict::skipped, reason));
  }
}

void Run::play() {
  const Time until =
      driver_.seam().now() + longest_run(suite_, options_.deadline, options_.schedule.slow);
  if (Attendant* const attendant = driver_.attendant()) attendant->end_by(until);
  driver_.begin(until, result_);
  play_by_danger();
  sort_cases();
  driver_.close(result_);
  if (!result_.interrupted && options_.confirm && !is_stranger(result_)) confirm_failures();
  settle_abilities(suite_, result_);
  driver_.review(result_);
}

/// The cases of one danger after those of the one below, each behind the readings that it rests on.
void Run::play_by_danger() {
  for (const Danger danger : all_dangers) {
    auto learnt = driver_.learn(danger, result_);
    if (!learnt) {
      error_ = learnt.error();
      return;
    }
    if (*learnt) suite_ = std::move(**learnt);
    look_into_deaths();
    play_rounds(next(danger), schedule());
    if (result_.interrupted) return skip_rest();
  }
}

/// A run that has taken its time tells of the cases that were not handed out, too; one that
/// somebody stopped tells of those that were.
void Run::skip_rest() {
  if (const std::string why = driver_.why_no_more(); !why.empty())
    skip(next(std::ranges::max(all_dangers)), why);
}

/// The units of that danger at most that were not handed out before.
Suite Run::next(Danger danger) {
  Suite due;
  for (const Unit& unit : suite_) {
    if (unit.danger() <= danger && !handed_out_.contains(unit.cases.front().id))
      due.push_back(unit);
  }
  for (const Unit& unit : due) handed_out_.insert(unit.cases.front().id);
  return due;
}

/// Progress is that of the whole suite, and so is doubt.
ScheduleOptions Run::schedule() {
  ScheduleOptions options = options_.schedule;
  options.fewer_once_failed = options_.confirm;
  if (options.fewer_once_failed && std::ranges::any_of(result_.cases, casts_doubt)) {
    options.jobs = fewer(options.jobs);
    options.fewer_once_failed = false;
  }
  if (!options.on_progress) return options;
  options.on_progress = [this, before = progress_, total = cases_in(suite_)](const Progress& now) {
    progress_ = {before.done + now.done, total, before.failed + now.failed};
    options_.schedule.on_progress(progress_);
  };
  return options;
}

/// Sorts the results by the order of the suite, whatever order they were played in. The cases that
/// served to find out the suite come first.
void Run::sort_cases() {
  std::map<std::string, std::size_t> places;
  for (const Unit& unit : suite_) {
    for (const CaseEntry& entry : unit.cases) places.emplace(entry.id, places.size() + 1);
  }
  std::ranges::stable_sort(result_.cases, {}, [&](const CaseResult& one) {
    const auto known = places.find(one.id);
    return known == places.end() ? 0 : known->second;
  });
}

/// A target that dies of much is given up in the middle; when it is known what kills it, the rest
/// is played.
void Run::play_rounds(const Suite& suite, const ScheduleOptions& options) {
  Suite left = left_of_next(suite, result_);
  for (unsigned round = 0; round < most_rounds && !left.empty(); ++round) {
    ScheduleResult played = play_suite(driver_, left, options);
    result_.interrupted = played.interrupted;
    for (CaseResult& one : played.cases) {
      if (round == 0) {
        result_.cases.push_back(std::move(one));
      } else {
        take(result_.cases, std::move(one));
      }
    }
    Attendant* const attendant = driver_.attendant();
    if (attendant == nullptr || result_.interrupted) return look_into_deaths();
    const bool gave_up = !attendant->given_up().empty();
    look_into_deaths();
    if (!attendant->given_up().empty()) return;
    left = settle_deliveries(suite, result_);
    if (gave_up) std::ranges::move(left_after_deaths(suite, result_), std::back_inserter(left));
  }
}

void Run::confirm_failures() {
  driver_.seam().begin_part("confirmation");
  if (driver_.attendant() == nullptr) return;
  Confirmation(driver_, in_order_of_danger(suite_), [this](const std::string& id) {
    return play_alone(id);
  }).confirm(result_);
  look_into_deaths();
}

/// The case as a suite of its own; nothing where the suite has no such case.
std::optional<CaseResult> Run::play_alone(const std::string& id) {
  for (const Unit& unit : suite_) {
    const auto entry = std::ranges::find(unit.cases, id, &CaseEntry::id);
    if (entry == unit.cases.end()) continue;
    Unit alone = unit;
    alone.cases = {*entry};
    driver_.seam().begin_part("alone: " + id);
    const SureWaits sure(patience_);
    return std::move(driver_.play(alone).front());
  }
  return std::nullopt;
}

void Run::look_into_deaths() {
  const bool over = driver_.stopped();
  Attendant* const attendant = driver_.attendant();
  if (attendant == nullptr) return;
  if (over) return note_deaths(*attendant, result_);
  hold_post_mortem(
      *attendant, [this](const std::string& id) { return play_alone(id); }, format_, result_,
      vigils_);
}

CertifyResult Run::finish() {
  // A process that has died by now died of no case of the suite.
  suite_.clear();
  look_into_deaths();
  tell_stray_deaths(result_);
  driver_.seam().begin_part("end");
  if (Attendant* const attendant = driver_.attendant()) result_.process = attendant->use();
  const Time took = driver_.seam().now() - started_;
  result_.header.duration = std::chrono::nanoseconds(static_cast<std::int64_t>(took));
  return std::move(result_);
}

}  // namespace

CertifyOutcome certify_by(RunDriver& driver, Patience& patience, const CertifyOptions& options) {
  return Run(driver, patience, options).whole();
}

CertifyResult failed_run(const CertifyOptions& options, std::string error) {
  CertifyResult result;
  fill_header(result, options);
  fill_format(result, options.asked);
  result.run_error = std::move(error);
  return result;
}

bool is_stranger(const CertifyResult& result) {
  const auto count = [&](Verdict verdict) {
    return std::ranges::count(result.cases, verdict, &CaseResult::verdict);
  };
  return count(Verdict::pass) * 4 < count(Verdict::fail);
}

}  // namespace hallmark::conformance
