#pragma once

#include "conformance/housekeeper.hpp"
#include "conformance/reduction/record_reply.hpp"
#include "vectors/format/vector.hpp"

namespace hallmark::conformance {

/// A failure that was cut down.
struct Reproduction {
  std::string case_id;
  std::size_t requests_before = 0;  ///< so many the case had sent
  Script script;                    ///< what is left of them
  /// What is left, as a golden vector that fails at its last step and is right for every server of
  /// the dialect that gives the readings' answers. Title, level and clauses are the case's.
  vectors::Vector vector;
};

/// How much is tried for one failure.
struct ReductionBounds {
  std::size_t plays = 300;
  Time longest = 2'000'000'000;  ///< ns
};

/// Plays the script again, and without what can be left out of it (delta debugging: Zeller and
/// Hildebrandt, 2002), until nothing more can. What is left out never decides what is right: the
/// reply that fails is expected from what remains (`specified_reply`), or only requests are left
/// out that have nothing to do with it. Nothing where it does not fail again.
std::optional<Reproduction> reduced(RunContext& context, Housekeeper& housekeeper,
                                    const Script& script, const ReductionBounds& bounds = {});

/// The requests, in hexadecimal, a line each with its connection in front; pauses between them, and
/// comments that start with `#`.
std::vector<std::string> hex_script(const WireFormat& format, const Reproduction& reproduction);

}  // namespace hallmark::conformance
