#pragma once

#include "conformance/engine/stage.hpp"
#include "vectors/format/vector.hpp"

namespace hallmark::conformance {

/// How the requests of a vector reach the target.
enum class Delivery : std::uint8_t {
  whole,      ///< each in one segment
  bytewise,   ///< each byte in a segment of its own; of those that resemble each other, a few
  split,      ///< each in two segments: once for every place to cut
  pipelined,  ///< all of the vector in one segment
};

inline constexpr Delivery all_deliveries[] = {Delivery::whole, Delivery::bytewise, Delivery::split,
                                              Delivery::pipelined};

/// Behind the id of the vector: nothing, `#bytewise`, `#split` or `#pipelined`.
std::string_view suffix_of(Delivery delivery);

/// Whether the vector can be delivered that way: only requests of two bytes or more can be cut;
/// only the steps of one connection, none of which waits for what another brings, can be pipelined,
/// and only where replies come in order; an exclusive vector has no bystander.
bool can_deliver(const WireFormat& format, const vectors::Vector& vector, Delivery delivery);

/// Plays the vector; ends the case (CaseEnded) where the target does not do as it says.
void play(Stage& stage, const vectors::Vector& vector, Delivery delivery);

}  // namespace hallmark::conformance
