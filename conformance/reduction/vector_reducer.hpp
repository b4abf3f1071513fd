#pragma once

#include "conformance/drivers/stream/vector_player.hpp"
#include "conformance/isolation/housekeeper.hpp"
#include "conformance/reduction/bounds.hpp"

namespace hallmark::conformance {

/// Plays the vector again, and without what can be left out of it: its steps behind the failure,
/// and whatever else goes without changing what is right for the rest (`parts_of`). So listings,
/// deliveries and values that are told twice are cut down, which no specification says what they
/// have to be. Nothing where it does not fail again.
std::optional<vectors::Vector> reduced_vector(RunContext& context, Housekeeper& housekeeper,
                                              const vectors::Vector& vector, Delivery delivery,
                                              const ReductionBounds& bounds);

}  // namespace hallmark::conformance
