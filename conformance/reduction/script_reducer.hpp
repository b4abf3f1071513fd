#pragma once

#include "conformance/isolation/housekeeper.hpp"
#include "conformance/reduction/bounds.hpp"
#include "conformance/reduction/record_reply.hpp"
#include "vectors/format/vector.hpp"

namespace hallmark::conformance {

/// Plays the script again, and without what can be left out of it (delta debugging: Zeller and
/// Hildebrandt, 2002), until nothing more can. What is left out never decides what is right: the
/// reply that fails is expected from what remains (`specified_reply`), or only requests are left
/// out that have nothing to do with it. Nothing where it does not fail again.
std::optional<vectors::Vector> reduced_script(RunContext& context, Housekeeper& housekeeper,
                                              const Script& script, const ReductionBounds& bounds);

}  // namespace hallmark::conformance
