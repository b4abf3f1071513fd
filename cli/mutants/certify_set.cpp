#include "cli/mutants/certify_set.hpp"

#include <algorithm>
#include <iterator>
#include <vector>

#include "cli/certify/certify_options.hpp"
#include "cli/mutants/kill_matrix.hpp"
#include "cli/options/interrupt.hpp"
#include "conformance/findings/findings.hpp"

namespace hallmark::cli {
namespace {

using reports::CertifyResult;

/// The options with which `mutants run` plays a bug.
PlayOptions options_alone(std::uint64_t seed) { return {.seed = seed, .stop = &interruption()}; }

/// The options with which a user certifies a server: the defaults of certify.
PlayOptions options_of_set(std::uint64_t seed) {
  return {.deadline = conformance::CertifyOptions().deadline,
          .jobs = CertifyArguments().jobs,
          .seed = seed,
          .stop = &interruption(),
          .confirm = true};
}

CaseIds failed_cases(const CertifyResult& result, const faults::ChosenBugs& bugs) {
  CaseIds failed;
  for (const reports::CaseResult& one : result.cases) {
    const bool killed =
        std::ranges::any_of(bugs, [&](const faults::Bug* const bug) { return kills(one, *bug); });
    if (killed) failed.insert(one.id);
  }
  return failed;
}

/// Plays one bug alone, as `mutants run` does.
class BugAlone final : public LonePlayer {
 public:
  BugAlone(const faults::Bug& bug, const ReferencePlayer& player, std::uint64_t seed)
      : bug_(bug), player_(player), options_(options_alone(seed)) {}

  /// Those that cite what it violates.
  std::optional<Kills> play_likely() override {
    Kills kills;
    const auto violated =
        std::ranges::find(bug_.violates, player_.dialect().name, &faults::Violation::dialect);
    if (violated == bug_.violates.end()) return kills;
    for (const auto& clause : violated->clauses) {
      const auto found = kills_in(player_.play_clause({&bug_}, std::string(clause), options_));
      if (!found) return std::nullopt;
      kills.killed_by.insert(found->killed_by.begin(), found->killed_by.end());
      kills.tried->insert(found->tried->begin(), found->tried->end());
      if (!kills.killed_by.empty()) break;
    }
    return kills;
  }

  std::optional<Kills> play(const CaseIds& ids) override {
    auto kills = kills_in(player_.play_cases({&bug_}, ids, options_));
    if (kills) kills->tried->insert(ids.begin(), ids.end());
    return kills;
  }

  std::optional<Kills> play_all() override {
    auto kills = kills_in(player_.play({&bug_}, options_));
    if (kills) kills->tried.reset();
    return kills;
  }

 private:
  std::optional<Kills> kills_in(const CertifyResult& result) const {
    if (result.interrupted || was_interrupted()) return std::nullopt;
    Kills kills;
    for (const reports::CaseResult& one : result.cases) kills.tried->insert(one.id);
    kills.killed_by = failed_cases(result, {&bug_});
    return kills;
  }

  const faults::Bug& bug_;
  const ReferencePlayer& player_;
  PlayOptions options_;
};

/// Certifies one set.
class SetRun {
 public:
  SetRun(const BugSetPlan& plan, const ReferencePlayer& player, LoneKills& kills)
      : plan_(plan), player_(player), kills_(kills) {}

  std::optional<LocalizedSet> certify(unsigned repeat);

 private:
  BugPlace place_of(const faults::Bug& bug) const;
  /// Finds out which of the cases fail with each bug alone. Nothing: it was interrupted.
  std::optional<std::vector<SoughtBug>> sought(const faults::ChosenBugs& bugs,
                                               const CaseIds& among);
  /// Asks of all cases about the bugs that no finding matches, and about all bugs if a finding
  /// matches none: some things only a whole run shows, such as memory that grows. False: it was
  /// interrupted.
  bool ask_of_all(const faults::ChosenBugs& bugs, const Localization& made,
                  std::vector<SoughtBug>& sought);
  /// Nothing: it was interrupted.
  std::optional<faults::ChosenBugs> draw();
  LocalizedSet named(const faults::ChosenBugs& bugs) const;
  /// Matches findings with bugs. False: it was interrupted, and the set cannot be judged.
  bool take_first(const CertifyResult& result, const faults::ChosenBugs& bugs, LocalizedSet& set);

  const BugSetPlan& plan_;
  const ReferencePlayer& player_;
  LoneKills& kills_;
};

BugPlace SetRun::place_of(const faults::Bug& bug) const {
  return cli::place_of(bug, player_.dialect(), player_.width());
}

std::optional<std::vector<SoughtBug>> SetRun::sought(const faults::ChosenBugs& bugs,
                                                     const CaseIds& among) {
  std::vector<SoughtBug> made;
  for (const faults::Bug* const bug : bugs) {
    BugAlone alone(*bug, player_, plan_.seed);
    auto killing = kills_.among(place_of(*bug), among, alone);
    if (!killing) return std::nullopt;
    made.push_back({std::string(bug->id), std::move(*killing)});
  }
  return made;
}

bool SetRun::ask_of_all(const faults::ChosenBugs& bugs, const Localization& made,
                        std::vector<SoughtBug>& sought) {
  const bool surplus =
      std::ranges::any_of(made.findings, [](const auto& one) { return one.bugs.empty(); });
  for (std::size_t i = 0; i < bugs.size(); ++i) {
    const bool missed =
        std::ranges::find(made.missed, sought[i].id, &MissedBug::id) != made.missed.end();
    if (!surplus && !missed) continue;
    BugAlone alone(*bugs[i], player_, plan_.seed);
    auto killing = kills_.all(place_of(*bugs[i]), alone);
    if (!killing) return false;
    sought[i].killed_by = std::move(*killing);
  }
  return true;
}

std::optional<faults::ChosenBugs> SetRun::draw() {
  return draw_bugs(plan_, [&](const faults::Bug& bug) {
    BugAlone alone(bug, player_, plan_.seed);
    return kills_.is_found(place_of(bug), alone);
  });
}

LocalizedSet SetRun::named(const faults::ChosenBugs& bugs) const {
  LocalizedSet set;
  set.seed = plan_.seed;
  set.dialect = player_.dialect().name;
  set.width = protocol::name_of(player_.width());
  for (const faults::Bug* const bug : bugs) set.bugs.emplace_back(bug->id);
  return set;
}

bool SetRun::take_first(const CertifyResult& result, const faults::ChosenBugs& bugs,
                        LocalizedSet& set) {
  set.duration = result.header.duration;
  set.run_error = result.run_error;
  std::vector<Finding> findings = conformance::findings_of(result);
  std::ranges::move(missing_operations_in(result), std::back_inserter(findings));
  const CaseIds failed = failed_cases(result, bugs);
  CaseIds told = failed;
  for (const Finding& finding : findings) told.insert(finding.cases.begin(), finding.cases.end());
  std::optional<std::vector<SoughtBug>> alone = sought(bugs, told);
  if (!alone) return false;
  set.localization = localize_bugs(*alone, findings, failed);
  if (!ask_of_all(bugs, set.localization, *alone)) return false;
  set.localization = localize_bugs(*alone, findings, failed);
  set.outcomes = outcomes_of(result);
  return true;
}

std::optional<LocalizedSet> SetRun::certify(unsigned repeat) {
  const auto bugs = draw();
  if (!bugs) return std::nullopt;
  LocalizedSet set = named(*bugs);
  std::vector<CaseOutcomes> runs;
  while (runs.size() < repeat) {
    const CertifyResult result = player_.play(*bugs, options_of_set(plan_.seed));
    if (result.interrupted || was_interrupted()) break;
    if (runs.empty() && !take_first(result, *bugs, set)) break;
    runs.push_back(outcomes_of(result));
  }
  if (runs.empty()) return std::nullopt;
  set.runs = static_cast<unsigned>(runs.size());
  set.unsteady = unsteady_cases(runs);
  return set;
}

}  // namespace

BugPlace place_of(const faults::Bug& bug, const protocol::Dialect& dialect, protocol::Width width) {
  return {std::string(bug.id), std::string(dialect.name), std::string(protocol::name_of(width))};
}

std::optional<LocalizedSet> certify_set(const BugSetPlan& plan, const ReferencePlayer& player,
                                        unsigned repeat, LoneKills& kills) {
  return SetRun(plan, player, kills).certify(repeat);
}

}  // namespace hallmark::cli
