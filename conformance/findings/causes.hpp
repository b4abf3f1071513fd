#pragma once

#include <string>
#include <vector>

#include "conformance/findings/traits.hpp"
#include "reports/result.hpp"

namespace hallmark::conformance {

/// Something that is wrong with a target, as far as its failures tell.
struct Cause {
  std::string name;  ///< the same in the next run, and at every width
  Places places;     ///< the failures that it explains; at least one
};

/// The fewest causes that account for all failures of the run, found one after the other: each
/// explains the most of what is left, and has few cases that pass in spite of it. A failure that
/// has nothing in common with others belongs to the cause about its operation; causes with the same
/// symptom are one.
std::vector<Cause> causes_of(const reports::CertifyResult& result);

}  // namespace hallmark::conformance
