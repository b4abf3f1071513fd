#include "oracle/linearizability.hpp"

#include <algorithm>
#include <numeric>

#include "oracle/linearizability_search.hpp"

namespace hallmark::oracle {
namespace {

constexpr RecordState absent[] = {RecordState{}};

}  // namespace

HistoryFinding LinearizabilityChecker::check(std::span<const RecordOperation> operations,
                                             std::span<const RecordState> initial) const {
  LinearizabilitySearch search(operations, specification_, order_, bounds_);
  HistoryFinding finding;
  for (const RecordState& state : initial) {
    const bool ended = search.run(state, false);
    if (!ended) {
      finding.verdict = HistoryVerdict::undecided;
      finding.bound = search.bound();
    }
    if (!ended || !search.ends().empty()) break;
  }
  finding.steps = search.steps();
  if (finding.verdict == HistoryVerdict::undecided || !search.ends().empty()) return finding;
  finding.verdict = HistoryVerdict::violated;
  finding.stuck_at = search.stuck_at();
  finding.states = search.stuck_states();
  return finding;
}

HistoryFinding LinearizabilityChecker::check(std::span<const RecordOperation> operations) const {
  return check(operations, absent);
}

std::optional<std::vector<RecordState>> LinearizabilityChecker::states_after(
    std::span<const RecordOperation> operations, std::span<const RecordState> initial) const {
  // The usual part of a history is one operation, which needs no search.
  if (operations.size() == 1 && operations.front().returned()) {
    std::vector<RecordState> after;
    for (const RecordState& state : initial) {
      const RecordSuccessors successors = specification_.after(state, operations.front());
      for (const RecordState& one : successors.states()) {
        if (std::ranges::find(after, one) == after.end()) after.push_back(one);
      }
    }
    return after;
  }
  LinearizabilitySearch search(operations, specification_, order_, bounds_);
  for (const RecordState& state : initial) {
    if (!search.run(state, true)) return std::nullopt;
  }
  return search.ends();
}

std::vector<HistoryFinding> LinearizabilityChecker::check_keys(
    std::span<const RecordOperation> history) const {
  std::vector<std::size_t> order(history.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t at) { return history[at].key; });
  std::vector<HistoryFinding> findings;
  RecordHistory own;
  for (std::size_t begin = 0; begin < order.size(); begin += own.size()) {
    own.clear();
    const std::uint32_t key = history[order[begin]].key;
    for (std::size_t i = begin; i < order.size() && history[order[i]].key == key; ++i)
      own.push_back(history[order[i]]);
    HistoryFinding& finding = findings.emplace_back(check(own));
    finding.key = key;
    finding.stuck_at = order[begin + finding.stuck_at];
  }
  return findings;
}

}  // namespace hallmark::oracle
