#pragma once

#include "conformance/engine/stage.hpp"
#include "vectors/format/vector.hpp"

namespace hallmark::conformance {

/// The way in which the requests of a vector reach the target.
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

/// Returns true if the vector can be delivered that way. Cut vectors need a request of two bytes or
/// more; they must have no preconditions, since an exclusive vector has no bystander, and no
/// pauses. Pipelined vectors need several requests, all on one connection. None may take a value
/// from an earlier reply, pauses are not allowed, and replies have to come in order.
bool can_deliver(const WireFormat& format, const vectors::Vector& vector, Delivery delivery);

/// Plays the vector; ends the case (CaseEnded) where the target does not do as it says.
void play(Stage& stage, const vectors::Vector& vector, Delivery delivery);

}  // namespace hallmark::conformance
