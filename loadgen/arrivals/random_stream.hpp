#pragma once
#include <cstdint>

#include "base/random.hpp"

namespace hallmark::loadgen {

/// The streams of base::CounterRandom. Each use has its own, so that a change of the operations
/// asked for does not move the arrivals.
enum class RandomStream : std::uint64_t { arrival = 1, operation, key, value, size };

}  // namespace hallmark::loadgen
