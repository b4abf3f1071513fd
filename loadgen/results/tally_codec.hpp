#pragma once
#include "base/bytes.hpp"
#include "base/error.hpp"
#include "loadgen/results/tally.hpp"

namespace hallmark::loadgen {

/// The tally for another process of the same run: counts, latencies and errors, without loss.
/// Slowest requests, stages, deliveries and observations are not part of it.
base::Bytes encode(const Tally& tally);

/// Adds what `encode` wrote to a tally of as many parts. Errors, one line: it is not of such a
/// tally; `sum` may have some of it then.
base::Result<void> add_encoded(base::ByteView bytes, Tally& sum);

}  // namespace hallmark::loadgen
