#pragma once

#include "conformance/drivers/stream/network.hpp"

namespace hallmark::conformance {

/// Limits on the attempts to reduce one failure.
struct ReductionBounds {
  std::size_t plays = 300;
  Time longest = 2'000'000'000;  ///< ns
};

}  // namespace hallmark::conformance
