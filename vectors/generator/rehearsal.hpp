#pragma once

#include "reference/protocol/error.hpp"
#include "vectors/format/vector.hpp"

namespace hallmark::vectors::generator {

/// Plays a vector against the reference model under simulated time, and fills in what only an
/// answer can give: examples of replies and the places of their fields.
/// Errors: one line with the step and the field where the model answers otherwise.
protocol::Result<void> rehearse(Vector& vector, protocol::Width width,
                                const protocol::Readings& readings);

}  // namespace hallmark::vectors::generator
