#pragma once

#include "base/error.hpp"
#include "protocol/readings.hpp"
#include "vectors/format/vector.hpp"

namespace hallmark::vectors::generator {

/// Time between two steps of a rehearsal, in nanoseconds.
using Pace = std::int64_t;

/// No multiple of any unit: what is left of a TTL is rounded.
constexpr Pace usual_pace = 1'000'001;

/// Plays a vector against the reference model under simulated time, and fills in what only an
/// answer can give: examples of replies and the places of their fields.
/// Errors: one line with the step and the field where the model answers otherwise.
base::Result<void> rehearse(Vector& vector, protocol::Width width,
                            const protocol::Readings& readings);

/// Returns true if a vector that was written for the readings `written` is right for a model that
/// gives the answers `served`, when its steps follow each other at that pace.
bool holds_under(const Vector& vector, protocol::Width width, const protocol::Readings& written,
                 const protocol::Readings& served, Pace pace);

}  // namespace hallmark::vectors::generator
