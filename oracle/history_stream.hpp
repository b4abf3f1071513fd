#pragma once
#include <optional>

#include "oracle/history_reduction.hpp"

namespace hallmark::oracle {

/// The history of one record while it goes on. It is judged in parts, between times at which
/// nothing is in flight: what the record can be at such a time says all that matters of what was
/// before, so memory is that of the operations since.
class HistoryStream {
 public:
  /// `checker` outlives it. `initial`: what the record can be before the first operation; not
  /// empty.
  HistoryStream(const LinearizabilityChecker& checker, std::vector<RecordState> initial)
      : checker_(&checker), before_(std::move(initial)) {}

  /// Adds an operation. Operations may come in any order, except that those of one client that were
  /// invoked at the same time come in the order of sending. Nothing is kept once the history is
  /// known to be a violation, or cannot be decided.
  void add(const RecordOperation& operation);

  /// Judges as far as possible, given that every operation which was invoked before `complete_ns`
  /// has been added. How many were explained.
  std::size_t judge(std::int64_t complete_ns);

  /// Judges all of the rest. What was invoked from `until_ns` on is not known in full: it is left
  /// out, and what was in flight then may have taken effect or not. Of operations between which
  /// there was no rest, the first `most` are judged. How many were explained.
  std::size_t finish(std::int64_t until_ns = never_ns, std::size_t most = SIZE_MAX);

  /// The verdict on all that was judged.
  HistoryVerdict verdict() const { return verdict_; }
  /// The violation, if there is one.
  const std::optional<SmallHistory>& violation() const { return violation_; }
  /// The operations that are not judged yet.
  const RecordHistory& waiting() const { return waiting_; }

  /// The operations that changed the record last; a violation that is found next may rest on them.
  const RecordHistory& last_change() const { return last_change_; }

 private:
  std::optional<std::size_t> end_of_part(std::size_t begin, std::int64_t complete_ns) const;
  bool judge_part(std::span<const RecordOperation> part);
  bool end_as(HistoryVerdict verdict);
  bool violate(std::span<const RecordOperation> part);
  void end_at(std::int64_t until_ns);

  const LinearizabilityChecker* checker_;
  std::vector<RecordState> before_;
  RecordHistory waiting_;
  RecordHistory last_change_;  ///< the last part that may have changed the record …
  std::vector<RecordState> before_last_change_;  ///< … and what it can be before that
  HistoryVerdict verdict_ = HistoryVerdict::linearizable;
  std::optional<SmallHistory> violation_;
};

}  // namespace hallmark::oracle
