#pragma once

#include "base/error.hpp"
#include "protocol/readings.hpp"
#include "vectors/format/vector.hpp"

/// Vectors of datagram dialects: each is a few transactions, on messages alone. Rates are no matter
/// of vectors: they follow from rules that only the owner of a server knows.
namespace hallmark::vectors::generator {

/// All of them, written for these readings, each rehearsed against the reference model and with the
/// answers on which it depends. Error: one line with the vector, the step and what the model
/// answers otherwise.
base::Result<std::vector<Vector>> rehearsed_datagrams(const protocol::Readings& readings,
                                                      protocol::Profile profile);

}  // namespace hallmark::vectors::generator
