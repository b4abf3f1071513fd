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

/// As `mutants run` plays a bug.
PlayOptions options_alone(std::uint64_t seed) { return {.seed = seed, .stop = &interruption()}; }

/// As a user certifies a server: with the defaults of certify.
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

/// Certifies one set.
class SetRun {
 public:
  SetRun(const BugSetPlan& plan, const ReferencePlayer& player, LoneKills& kills)
      : plan_(plan), player_(player), kills_(kills) {}

  std::optional<LocalizedSet> certify(unsigned repeat);

 private:
  /// Nothing: it was interrupted.
  std::optional<CaseIds> killed_by(const faults::Bug& bug);
  std::vector<SoughtBug> sought(const faults::ChosenBugs& bugs);
  /// Nothing: it was interrupted.
  std::optional<faults::ChosenBugs> draw();
  LocalizedSet named(const faults::ChosenBugs& bugs) const;
  void take_first(const CertifyResult& result, const faults::ChosenBugs& bugs, LocalizedSet& set);

  const BugSetPlan& plan_;
  const ReferencePlayer& player_;
  LoneKills& kills_;
};

std::optional<CaseIds> SetRun::killed_by(const faults::Bug& bug) {
  const BugPlace place{std::string(bug.id), std::string(player_.dialect().name),
                       std::string(protocol::name_of(player_.width()))};
  return kills_.of(place, [&]() -> std::optional<CaseIds> {
    const CertifyResult result = player_.play({&bug}, options_alone(plan_.seed));
    if (result.interrupted || was_interrupted()) return std::nullopt;
    return failed_cases(result, {&bug});
  });
}

std::vector<SoughtBug> SetRun::sought(const faults::ChosenBugs& bugs) {
  std::vector<SoughtBug> made;
  for (const faults::Bug* const bug : bugs)
    made.push_back({std::string(bug->id), killed_by(*bug).value_or(CaseIds())});
  return made;
}

std::optional<faults::ChosenBugs> SetRun::draw() {
  return draw_bugs(plan_, [&](const faults::Bug& bug) -> std::optional<bool> {
    const auto cases = killed_by(bug);
    if (!cases) return std::nullopt;
    return !cases->empty();
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

void SetRun::take_first(const CertifyResult& result, const faults::ChosenBugs& bugs,
                        LocalizedSet& set) {
  set.duration = result.header.duration;
  set.run_error = result.run_error;
  std::vector<Finding> findings = conformance::findings_of(result);
  std::ranges::move(missing_operations_in(result), std::back_inserter(findings));
  set.localization = localize_bugs(sought(bugs), findings, failed_cases(result, bugs));
  set.outcomes = outcomes_of(result);
}

std::optional<LocalizedSet> SetRun::certify(unsigned repeat) {
  const auto bugs = draw();
  if (!bugs) return std::nullopt;
  LocalizedSet set = named(*bugs);
  std::vector<CaseOutcomes> runs;
  while (runs.size() < repeat) {
    const CertifyResult result = player_.play(*bugs, options_of_set(plan_.seed));
    if (result.interrupted || was_interrupted()) break;
    if (runs.empty()) take_first(result, *bugs, set);
    runs.push_back(outcomes_of(result));
  }
  if (runs.empty()) return std::nullopt;
  set.runs = static_cast<unsigned>(runs.size());
  set.unsteady = unsteady_cases(runs);
  return set;
}

}  // namespace

std::optional<LocalizedSet> certify_set(const BugSetPlan& plan, const ReferencePlayer& player,
                                        unsigned repeat, LoneKills& kills) {
  return SetRun(plan, player, kills).certify(repeat);
}

}  // namespace hallmark::cli
