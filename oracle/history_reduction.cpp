#include "oracle/history_reduction.hpp"

#include <algorithm>

namespace hallmark::oracle {
namespace {

/// Each is a search; enough for some hundred operations.
constexpr std::size_t most_trials = 2'000;

class Reduction {
 public:
  Reduction(const LinearizabilityChecker& checker, std::span<const RecordOperation> operations,
            std::span<const RecordState> initial)
      : checker_(checker) {
    small_.of = operations.size();
    small_.operations.assign(operations.begin(), operations.end());
    small_.before.assign(initial.begin(), initial.end());
    std::ranges::stable_sort(small_.operations, {}, &RecordOperation::invoked_ns);
  }

  SmallHistory smallest() {
    drop_what_came_before();
    small_.finding = checker_.check(small_.operations, small_.before);
    for (std::size_t earlier = 0; earlier != small_.operations.size();) {
      earlier = small_.operations.size();
      drop_what_came_after();
      drop_what_changes_nothing();
    }
    return std::move(small_);
  }

 private:
  void drop_what_came_before();
  void drop_what_came_after();
  void drop_what_changes_nothing();
  bool keep_violation_without(std::size_t begin, std::size_t end);
  std::size_t end_of_first_part(std::size_t begin) const;

  const LinearizabilityChecker& checker_;
  SmallHistory small_;
  std::size_t trials_ = 0;
};

/// Up to the first time from `begin` on at which nothing is in flight.
std::size_t Reduction::end_of_first_part(std::size_t begin) const {
  std::int64_t busy_until = small_.operations[begin].returned_ns;
  std::size_t end = begin + 1;
  while (end < small_.operations.size() && small_.operations[end].invoked_ns <= busy_until)
    busy_until = std::max(busy_until, small_.operations[end++].returned_ns);
  return end;
}

/// Drops what came before the part that changed the record last. That part stays, so that people
/// see where the state comes from.
void Reduction::drop_what_came_before() {
  std::size_t from = 0;
  std::vector<RecordState> before = small_.before;
  for (std::size_t begin = 0; begin < small_.operations.size();) {
    const std::size_t end = end_of_first_part(begin);
    const std::span<const RecordOperation> part(small_.operations.data() + begin, end - begin);
    if (!std::ranges::all_of(part, &RecordOperation::returned)) break;
    auto after = checker_.states_after(part, before);
    if (!after) break;
    if (after->empty()) {
      small_.operations.resize(end);
      break;
    }
    if (!std::ranges::all_of(part, &RecordOperation::changes_nothing)) {
      from = begin;
      small_.before = before;
    }
    before = std::move(*after);
    begin = end;
  }
  small_.operations.erase(small_.operations.begin(),
                          small_.operations.begin() + static_cast<std::ptrdiff_t>(from));
}

void Reduction::drop_what_came_after() {
  const std::int64_t until = small_.operations[small_.finding.stuck_at].returned_ns;
  RecordHistory cut;
  for (RecordOperation operation : small_.operations) {
    if (operation.invoked_ns > until) continue;
    if (operation.returned_ns > until) operation.returned_ns = never_ns;
    cut.push_back(operation);
  }
  HistoryFinding finding = checker_.check(cut, small_.before);
  if (finding.verdict != HistoryVerdict::violated) return;
  small_.operations = std::move(cut);
  small_.finding = std::move(finding);
}

void Reduction::drop_what_changes_nothing() {
  for (std::size_t size = small_.operations.size(); size > 0; size /= 2) {
    for (std::size_t begin = 0; begin < small_.operations.size();) {
      if (!keep_violation_without(begin, std::min(begin + size, small_.operations.size())))
        begin += size;
    }
  }
}

/// Drops what of those operations changes nothing, if the others are a violation.
bool Reduction::keep_violation_without(std::size_t begin, std::size_t end) {
  if (trials_ == most_trials) return false;
  RecordHistory rest;
  for (std::size_t i = 0; i < small_.operations.size(); ++i) {
    const bool dropped = i >= begin && i < end && small_.operations[i].changes_nothing();
    if (!dropped) rest.push_back(small_.operations[i]);
  }
  if (rest.size() == small_.operations.size()) return false;
  ++trials_;
  HistoryFinding finding = checker_.check(rest, small_.before);
  if (finding.verdict != HistoryVerdict::violated) return false;
  small_.operations = std::move(rest);
  small_.finding = std::move(finding);
  return true;
}

}  // namespace

SmallHistory reduced(const LinearizabilityChecker& checker,
                     std::span<const RecordOperation> operations,
                     std::span<const RecordState> initial) {
  return Reduction(checker, operations, initial).smallest();
}

SmallHistory reduced(const LinearizabilityChecker& checker,
                     std::span<const RecordOperation> operations) {
  constexpr RecordState absent[] = {RecordState{}};
  return reduced(checker, operations, absent);
}

}  // namespace hallmark::oracle
