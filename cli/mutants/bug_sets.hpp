#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "protocol/dialect.hpp"
#include "reference/faults/catalogue.hpp"

/// Random sets of bugs, the same ones for the same seed.
namespace hallmark::cli {

/// A dialect that sets may be drawn for, with the widths of it that are wanted; at least one.
struct DialectChoice {
  const protocol::Dialect* dialect;
  std::vector<protocol::Width> widths;
};

/// The set that a seed asks for, before it is known which bugs a case can find.
struct BugSetPlan {
  std::uint64_t seed = 0;
  const protocol::Dialect* dialect = nullptr;
  protocol::Width width = protocol::Width::none;
  std::size_t size = 0;  ///< bugs in the set, as far as there are so many
  /// Bugs that a server of the dialect can have, in the order in which they are tried. Those that
  /// only a case finds that waits out a minute are not among them.
  faults::ChosenBugs candidates;
};

/// Draws a dialect, one of its widths and a size from 1 to `most`, each with the same probability.
/// Preconditions: there is a choice, and `most` is at least 1.
BugSetPlan plan_bug_set(std::uint64_t seed, std::span<const DialectChoice> choices,
                        std::size_t most);

/// Tells whether a case finds the bug alone. Nothing: that was not found out.
using IsFound = std::function<std::optional<bool>(const faults::Bug&)>;

/// Takes the first candidates that do not exclude one taken before and that a case finds, in the
/// order of the catalogue. A bug that hides all others is taken alone. Nothing: `is_found` did not
/// answer.
std::optional<faults::ChosenBugs> draw_bugs(const BugSetPlan& plan, const IsFound& is_found);

}  // namespace hallmark::cli
