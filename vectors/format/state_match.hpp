#pragma once

#include <optional>

#include "vectors/format/state_vector.hpp"

namespace hallmark::vectors {

/// A member of an answer that is not what was expected.
struct StateMismatch {
  std::string member;  ///< `fields.tokens`, `results[1].remaining`
  std::string expected;
  std::string received;
};

/// The first member of `expected` with which `answer` disagrees, as StateStep says; nothing: the
/// answer is right. `rounding`: floats may differ by a relative 1e-9. Never throws.
std::optional<StateMismatch> mismatch(const base::Json& expected, const base::Json& answer,
                                      bool rounding);

/// Returns true if two states, or two of their parts, agree but for rounding. They are compared
/// part by part, where `|` and `$` end parts. Two parts agree if they are the same text. They also
/// agree if one of them has a point or an exponent and they are numbers that differ by at most a
/// relative 1e-9.
bool equal_but_for_rounding(std::string_view a, std::string_view b);

}  // namespace hallmark::vectors
