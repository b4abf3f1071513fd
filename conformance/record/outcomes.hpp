#pragma once

#include <optional>

#include "conformance/drivers/datagram/datagram_network.hpp"
#include "conformance/record/part.hpp"

/// Translates the outcomes of calls between the seams and the records.
namespace hallmark::conformance {

Crossing::Outcome outcome_of(Arrival arrival);
Crossing::Outcome outcome_of(Dispatch dispatch);
Crossing::Outcome outcome_of(DatagramArrival arrival);

/// Return nothing if such a call cannot have that outcome.
std::optional<Arrival> arrival_of(Crossing::Outcome outcome);
std::optional<Dispatch> dispatch_of(Crossing::Outcome outcome);
std::optional<DatagramArrival> datagram_arrival_of(Crossing::Outcome outcome);

}  // namespace hallmark::conformance
