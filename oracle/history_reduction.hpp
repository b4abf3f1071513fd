#pragma once
#include "oracle/linearizability.hpp"

namespace hallmark::oracle {

/// A violation, and nothing that it does not rest on.
struct SmallHistory {
  RecordHistory operations;         ///< in order of invocation
  std::vector<RecordState> before;  ///< the states that the record can have before them
  HistoryFinding finding;           ///< of these operations
  std::size_t of = 0;               ///< so many operations the whole history has
};

/// The smallest part of a violation that this finds. Every step takes away only what cannot explain
/// the rest, so that no order of the whole history exists because there is none of the part:
///   - what came before a time at which nothing was in flight gives way to the states that the
///     record can have had then, but for what changed it last;
///   - what began after the return that no order gets past is dropped, and what returned after it
///     becomes free to take effect later or never (a prefix of a linearizable history is
///     linearizable);
///   - operations that change nothing, those that read and those that failed, are dropped as long
///     as the rest is a violation by itself (delta debugging; Zeller and Hildebrandt, 2002).
/// Operations that change the record stay: without them, what others saw would look wrong that is
/// right.
///
/// `initial`: what the record can be before them; not empty. Precondition: `operations` are of one
/// key, and the checker finds them to be a violation.
SmallHistory reduced(const LinearizabilityChecker& checker,
                     std::span<const RecordOperation> operations,
                     std::span<const RecordState> initial);

/// The same for a record that does not exist at first.
SmallHistory reduced(const LinearizabilityChecker& checker,
                     std::span<const RecordOperation> operations);

}  // namespace hallmark::oracle
