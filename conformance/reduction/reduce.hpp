#pragma once

#include "conformance/isolation/housekeeper.hpp"
#include "conformance/reduction/bounds.hpp"
#include "conformance/reduction/failures.hpp"

namespace hallmark::conformance {

/// A failure that was cut down.
struct Reproduction {
  std::string case_id;
  std::size_t requests_before = 0;  ///< so many the case had sent
  std::size_t requests_left = 0;
  /// The reduced failure, as a golden vector that fails at its last step. It is right for every
  /// server of the dialect that gives the readings' answers.
  vectors::Vector vector;
  /// It failed once more, on a process that was asked nothing before. False: the target is not ours
  /// to start.
  bool failed_afresh = false;
};

/// Plays a failure again with less and less: as the script of one wrong reply, or as the vector
/// that it is. Returns nothing if it is neither, or does not fail again.
std::optional<Reproduction> reduced(RunContext& context, Housekeeper& housekeeper,
                                    const Failure& failure, const ReductionBounds& bounds = {});

/// Plays what is left in every way of delivery; true if one of them fails.
bool fails_again(RunContext& context, const Reproduction& reproduction);

/// The requests, in hexadecimal, a line each with its connection in front; pauses between them, and
/// comments that start with `#`.
std::vector<std::string> hex_script(const Reproduction& reproduction);

}  // namespace hallmark::conformance
