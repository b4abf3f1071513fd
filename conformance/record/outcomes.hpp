#pragma once

#include <optional>

#include "conformance/drivers/datagram/datagram_network.hpp"
#include "conformance/record/part.hpp"

/// What became of a call, as the seams say it and as records do.
namespace hallmark::conformance {

Crossing::Outcome outcome_of(Arrival arrival);
Crossing::Outcome outcome_of(Dispatch dispatch);
Crossing::Outcome outcome_of(DatagramArrival arrival);

/// Nothing where a record says what cannot become of such a call.
std::optional<Arrival> arrival_of(Crossing::Outcome outcome);
std::optional<Dispatch> dispatch_of(Crossing::Outcome outcome);
std::optional<DatagramArrival> datagram_arrival_of(Crossing::Outcome outcome);

}  // namespace hallmark::conformance
