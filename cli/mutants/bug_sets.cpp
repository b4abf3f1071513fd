#include "cli/mutants/bug_sets.hpp"

#include <algorithm>

#include "base/random.hpp"

namespace hallmark::cli {
namespace {

faults::ChosenBugs candidates_of(const protocol::Dialect& dialect) {
  faults::ChosenBugs candidates;
  for (const faults::Bug& bug : faults::all_bugs()) {
    if (!bug.slow && faults::transport_of(bug) == dialect.transport) candidates.push_back(&bug);
  }
  return candidates;
}

bool excludes_one_of(const faults::Bug& bug, const faults::ChosenBugs& bugs) {
  return std::ranges::any_of(bugs, [&](const faults::Bug* const other) {
    return !faults::why_exclusive(*other, bug).empty();
  });
}

}  // namespace

BugSetPlan plan_bug_set(std::uint64_t seed, std::span<const DialectChoice> choices,
                        std::size_t most) {
  base::Random random(seed);
  const DialectChoice& choice = random.one_of(choices);
  BugSetPlan plan;
  plan.seed = seed;
  plan.dialect = choice.dialect;
  plan.width = random.one_of(choice.widths);
  plan.size = 1 + random.below(most);
  plan.candidates = candidates_of(*choice.dialect);
  random.shuffle(plan.candidates);
  return plan;
}

std::optional<faults::ChosenBugs> draw_bugs(const BugSetPlan& plan, const IsFound& is_found) {
  faults::ChosenBugs drawn;
  for (const faults::Bug* const bug : plan.candidates) {
    if (drawn.size() == plan.size) break;
    if (excludes_one_of(*bug, drawn) || (bug->hides_all && !drawn.empty())) continue;
    const std::optional<bool> found = is_found(*bug);
    if (!found) return std::nullopt;
    if (!*found) continue;
    drawn.push_back(bug);
    if (bug->hides_all) break;
  }
  std::ranges::sort(drawn);
  return drawn;
}

}  // namespace hallmark::cli
